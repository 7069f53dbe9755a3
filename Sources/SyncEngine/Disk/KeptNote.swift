import Support
import SyncCore

/// What is said of a kept version, as text beside it: it can be brought back without a database.
struct KeptNote: Sendable {
    /// Where it was, relative to the folder's root.
    var path: RelativePath
    /// When it went, in seconds since 1970.
    var date: Int64
    /// What ``LivedTime`` had counted when it went; 0 where that is not known.
    var lived: Int64 = 0
    /// Why it went.
    var reason: KeptVersion.Reason
    /// The inode of the file that stands in the version's place until the exchange happened; 0 for none. Should the
    /// machine stop in between, that file is recognised as no version of a person's.
    var placeholder: UInt64 = 0
    /// The name, beside where it was, that the version is to get at once: it gave way in a conflict, and is only kept
    /// should the machine stop in between.
    var beside: EntryName?
    /// The permission bits of a directory, of which nothing else is kept: what was in it is kept by itself.
    var directoryMode: UInt32?

    init(
        _ path: RelativePath, _ reason: KeptVersion.Reason, date: Int64, placeholder: UInt64 = 0,
        beside: EntryName? = nil, directoryMode: UInt32? = nil
    ) {
        self.path = path
        self.date = date
        self.reason = reason
        self.placeholder = placeholder
        self.beside = beside
        self.directoryMode = directoryMode
    }

    /// The text of the note.
    var text: String {
        var lines = [
            "Path=\(PercentCoding.encode(path: path.bytes))", "Date=\(date)", "Placeholder=\(placeholder)",
            "Reason=\(reason.rawValue)", "Lived=\(lived)",
        ]
        if let beside { lines.append("Beside=\(PercentCoding.encode(path: beside.bytes))") }
        if let directoryMode { lines.append("DirectoryMode=\(String(directoryMode, radix: 8))") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Reads a note; nil if it does not say where the version was. Lines of later versions are passed over.
    init?(_ text: [UInt8]) {
        var found: RelativePath?
        self.init(.root, .replaced, date: 0)
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            let value = parts[1]
            switch parts[0] {
            case "Path":
                guard let path = PercentCoding.decode(value).flatMap({ RelativePath(bytes: $0) }) else { return nil }
                found = path
            case "Date": date = min(max(Int64(value) ?? 0, 0), 1 << 40)
            case "Lived": lived = min(max(Int64(value) ?? 0, 0), 1 << 40)
            case "Placeholder": placeholder = UInt64(value) ?? 0
            case "Reason": reason = KeptVersion.Reason(rawValue: String(value)) ?? .replaced
            case "Beside": beside = PercentCoding.decode(value).flatMap { EntryName($0) }
            case "DirectoryMode": directoryMode = UInt32(value, radix: 8).map { $0 & 0o777 }
            default: continue
            }
        }
        guard let found else { return nil }
        path = found
    }
}
