import Glibc
import Support
import SyncCore

/// A text file beside a kept version that describes it, so that the version can be restored without a database.
struct KeptNote: Sendable {
    /// Its former path below the folder's root.
    var path: RelativePath
    /// When it was replaced or removed, in seconds since 1970.
    var date: Int64
    /// The count of ``LivedTime`` at that time; nil if it is not known.
    var lived: Int64?
    /// Why it was replaced or removed.
    var reason: KeptVersion.Reason
    /// The inode of the file that takes the version's place in the store until the exchange; 0 for none. After a power
    /// failure in between, it shows that this file is not a version of the user's.
    var placeholder: UInt64 = 0
    /// The name that the version is about to get beside its former path: it was displaced in a conflict, and stays in
    /// the store only if the power fails in between.
    var beside: EntryName?
    /// The permission bits of a directory. Nothing else of it is kept; its contents are kept as separate versions.
    var directoryMode: UInt32?

    init(
        _ path: RelativePath, _ reason: KeptVersion.Reason, date: Int64 = KeptNote.now(), placeholder: UInt64 = 0,
        beside: EntryName? = nil, directoryMode: UInt32? = nil
    ) {
        self.path = path
        self.date = date
        self.reason = reason
        self.placeholder = placeholder
        self.beside = beside
        self.directoryMode = directoryMode
    }

    /// Seconds since 1970.
    static func now() -> Int64 { Int64(time(nil)) }

    /// A number of seconds that is read from a note or an info file, at most some thirty thousand years: nothing that
    /// is calculated with it overflows.
    static func within(_ seconds: Int64) -> Int64 { min(max(seconds, 0), 1 << 40) }

    /// The text of the note.
    var text: String {
        var lines = [
            "Path=\(PercentCoding.encode(path: path.bytes))", "Date=\(date)", "Placeholder=\(placeholder)",
            "Reason=\(reason.rawValue)",
        ]
        if let lived { lines.append("Lived=\(lived)") }
        if let beside { lines.append("Beside=\(PercentCoding.encode(path: beside.bytes))") }
        if let directoryMode { lines.append("DirectoryMode=\(String(directoryMode, radix: 8))") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Parses a note; nil if it does not contain the version's path. Lines of later program versions are skipped.
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
            case "Date": date = Self.within(Int64(value) ?? 0)
            case "Lived": lived = Int64(value).map(Self.within)
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
