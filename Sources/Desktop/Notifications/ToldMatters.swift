internal import RoundelBus
internal import Support
internal import SystemPackage

/// What the person was notified of and is not resolved yet, in a file, so that a restart does not tell it again.
struct ToldMatters {
    typealias Contents = [NotificationBoard.Subject: FolderNotice.Urgency]

    private let path: FilePath

    /// More matters than these are not remembered.
    static let most = 1000
    /// More than so many of them take.
    private static let limit = 16 << 20

    init(folder: FilePath) { path = folder.appending("notified") }

    /// What the file says; what cannot be read is as if nothing had been told.
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
            guard case .notice(let folder, let id) = subject else { continue }
            lines.append("\(urgency.rawValue) \(folder.uri) \(PercentCoding.encode(segment: Array(id.utf8)))\n")
        }
        try SmallFile.replace(path, with: Array(lines.sorted().prefix(Self.most).joined().utf8))
    }

    /// A line has the urgency, the folder's URI and the notice's id, which hold no blanks.
    private static func matter(_ line: String) -> (NotificationBoard.Subject, FolderNotice.Urgency)? {
        let parts = line.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, let urgency = UInt8(parts[0]).flatMap({ FolderNotice.Urgency(rawValue: $0) }),
            let folder = try? ItemURI(String(parts[1])), let id = PercentCoding.decode(parts[2])
        else { return nil }
        return (.notice(folder, String(decoding: id, as: UTF8.self)), urgency)
    }
}
