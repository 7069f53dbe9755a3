internal import RoundelBus
internal import Support
internal import SystemPackage

/// The file with the unresolved matters that were shown to the user, so that they are not shown again after a restart.
struct ToldMatters {
    typealias Contents = [NotificationBoard.Subject: FolderNotice.Urgency]

    private let path: FilePath

    /// The maximum number of stored matters.
    static let most = 1000
    /// The maximum file size in bytes, which is more than these need.
    private static let limit = 16 << 20

    init(folder: FilePath) { path = folder.appending("notified") }

    /// Reads the file; if that fails, no matters count as shown.
    func load() -> Contents {
        guard let bytes = (try? SmallFile.read(path, limit: Self.limit)) ?? nil else { return [:] }
        var contents: Contents = [:]
        for line in bytes.split(separator: UInt8(ascii: "\n")) where contents.count < Self.most {
            guard let (subject, urgency) = Self.matter(String(decoding: line, as: UTF8.self)) else { continue }
            contents[subject] = urgency
        }
        return contents
    }

    /// Replaces the file.
    func save(_ contents: Contents) throws(Errno) {
        var lines: [String] = []
        for (subject, urgency) in contents {
            switch subject {
            case .notice(let folder, let id):
                lines.append("\(urgency.rawValue) \(folder.uri) \(PercentCoding.encode(segment: Array(id.utf8)))\n")
            case .provider(let id): lines.append("\(urgency.rawValue) \(Self.provider) \(id)\n")
            case .summary, .failure, .answer: continue
            }
        }
        try SmallFile.replace(path, with: Array(lines.sorted().prefix(Self.most).joined().utf8))
    }

    /// Stands where a folder's URI would, for a question about a provider.
    private static let provider = "provider"

    /// A line contains the urgency, the folder's URI and the notice's ID, none of which contains spaces; or the urgency,
    /// ``provider`` and the provider's ID.
    private static func matter(_ line: String) -> (NotificationBoard.Subject, FolderNotice.Urgency)? {
        let parts = line.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, let urgency = UInt8(parts[0]).flatMap({ FolderNotice.Urgency(rawValue: $0) }) else {
            return nil
        }
        if parts[1] == provider { return ProviderID(String(parts[2])).map { (.provider($0), urgency) } }
        guard let folder = try? ItemURI(String(parts[1])), let id = PercentCoding.decode(parts[2])
        else { return nil }
        return (.notice(folder, String(decoding: id, as: UTF8.self)), urgency)
    }
}
