internal import Remotes

/// The people and groups that a search found at a server. What is not understood is left out.
struct ToldRecipients: Decodable {
    private struct Entry: Decodable {
        struct Value: Decodable {
            var shareType: Int
            var shareWith: String
        }

        var label: String?
        var value: Value
        var shareWithDisplayNameUnique: String?
    }

    /// One list entry, which may be unreadable.
    private struct Lenient: Decodable {
        var entry: Entry?

        init(from decoder: any Decoder) throws { entry = try? Entry(from: decoder) }
    }

    private struct Lists: Decodable {
        var users: [Lenient]
        var groups: [Lenient]

        private enum Key: CodingKey { case users, groups }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: Key.self)
            users = (try? values.decode([Lenient].self, forKey: .users)) ?? []
            groups = (try? values.decode([Lenient].self, forKey: .groups)) ?? []
        }

        var all: [Lenient] { users + groups }
    }

    private let exact: [Lenient]
    private let others: [Lenient]

    private enum Key: CodingKey { case exact }

    init(from decoder: any Decoder) throws {
        exact = (try? decoder.container(keyedBy: Key.self).decode(Lists.self, forKey: .exact).all) ?? []
        others = try Lists(from: decoder).all
    }

    /// The most characters of a name that is shown, and the most bytes of what identifies a recipient.
    private static let (longestName, longestID) = (256, 1_024)

    /// The recipients, those that the text names exactly first, each once.
    func recipients(most: Int) -> [ShareRecipient] {
        var known: Set<[String]> = []
        var found: [ShareRecipient] = []
        for entry in (exact + others).compactMap(\.entry) where found.count < most {
            let id = entry.value.shareWith
            guard let kind = ShareKind.allCases.first(where: { ToldShare.type(of: $0) == entry.value.shareType }),
                kind != .link, (1...Self.longestID).contains(id.utf8.count), known.insert([kind.rawValue, id]).inserted
            else { continue }
            let name = entry.label.flatMap { ServerText.isLine($0, longest: Self.longestName) ? $0 : nil } ?? id
            let detail = entry.shareWithDisplayNameUnique.flatMap {
                ServerText.isLine($0, longest: Self.longestName) ? $0 : nil
            }
            let other = detail ?? id
            found.append(ShareRecipient(kind: kind, id: id, name: name, detail: other == name ? "" : other))
        }
        return found
    }
}
