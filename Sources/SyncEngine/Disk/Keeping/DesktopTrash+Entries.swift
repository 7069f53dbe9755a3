import Glibc
import Support
import SyncCore
import SystemPackage

extension DesktopTrash {
    /// Distinguishes what syncing put into the trash from what the user did. The trash specification requires other
    /// programs to ignore unknown lines.
    static let ownMark = "X-Roundel=1"

    /// Calls `body` with all that syncing put into the trash from this folder. Entries with an unreadable info file are
    /// skipped.
    func forEachOwnEntry(_ body: (KeptVersion) -> Void) {
        for note in (try? info.names()) ?? [] {
            guard let trashed = Self.trashed(of: note), let status = try? files.status(of: trashed),
                let text = try? info.open(note, DirectoryHandle.reading).readAll(limit: 64 << 10),
                let (path, date) = parse(text)
            else { continue }
            body(
                KeptVersion(
                    id: PercentCoding.encode(path: trashed.bytes), path: path, reason: .deleted, place: .desktop,
                    date: date, stored: status.changed, size: status.size, isDirectory: status.kind == .directory))
        }
    }

    private static func trashed(of note: EntryName) -> EntryName? {
        guard note.bytes.suffix(noteSuffix.utf8.count).elementsEqual(noteSuffix.utf8) else { return nil }
        return EntryName(Array(note.bytes.dropLast(noteSuffix.utf8.count)))
    }

    private func parse(_ text: [UInt8]) -> (RelativePath, Int64)? {
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        guard lines.contains(Substring(Self.ownMark)) else { return nil }
        func value(_ key: String) -> Substring? {
            lines.first { $0.hasPrefix(key + "=") }.map { $0.dropFirst(key.count + 1) }
        }
        guard let original = value("Path").flatMap({ PercentCoding.decode($0) }), original.starts(with: prefix),
            let path = RelativePath(bytes: Array(original.dropFirst(prefix.count))), !path.isRoot,
            let date = value("DeletionDate").flatMap({ Self.seconds(localTime: $0) })
        else { return nil }
        return (path, date)
    }

    /// The seconds since 1970 of a local time `YYYY-MM-DDThh:mm:ss`, within the bounds of all dates of versions.
    private static func seconds(localTime text: Substring) -> Int64? {
        let numbers = text.split { "-T:".contains($0) }.compactMap { Int32($0) }
        guard numbers.count == 6 else { return nil }
        var parts = tm()
        parts.tm_year = numbers[0] - 1900
        parts.tm_mon = numbers[1] - 1
        parts.tm_mday = numbers[2]
        parts.tm_hour = numbers[3]
        parts.tm_min = numbers[4]
        parts.tm_sec = numbers[5]
        parts.tm_isdst = -1
        let time = mktime(&parts)
        return time == -1 ? nil : KeptNote.within(Int64(time))
    }
}
