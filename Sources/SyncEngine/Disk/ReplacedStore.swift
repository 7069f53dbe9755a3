import Glibc
import SyncCore
import SystemPackage

/// One version that the engine replaced or removed, and keeps for a while.
struct ReplacedVersion: Sendable {
    /// The name under which it is kept.
    var identifier: EntryName
    /// Where it was, relative to the folder's root.
    var path: RelativePath
    /// When it was replaced, in seconds since 1970.
    var date: Int64
    /// In bytes.
    var size: UInt64
}

/// Versions that were replaced, each beside a text that says where it stood: restorable also without a database.
final class ReplacedStore: Sendable {
    /// How long and how much is kept.
    struct Limits: Sendable {
        /// In seconds; 30 days.
        var age: Int64 = 30 * 86_400
        /// In bytes; 1 GiB.
        var size: UInt64 = 1 << 30
    }

    let directory: DirectoryHandle
    private let limits: Limits

    init(_ directory: DirectoryHandle, limits: Limits = Limits()) {
        self.directory = directory
        self.limits = limits
    }

    private static let suffix = ".info"

    private static func info(_ identifier: EntryName) -> EntryName {
        EntryName(identifier.bytes + Array(suffix.utf8)) ?? identifier
    }

    /// Notes that a version of `path` is about to be kept under the identifier returned.
    ///
    /// - Parameter placeholder: The inode of the file that stands there until the exchange happened. Should the
    ///   machine stop in between, that file is recognised as no version of a person's.
    func announce(path: RelativePath, placeholder: UInt64 = 0, date: Int64) throws(Errno) -> EntryName {
        let identifier = RandomName.component()
        let text = "Path=\(PercentEncoding.encode(path.bytes))\nDate=\(date)\nPlaceholder=\(placeholder)\n"
        let name = Self.info(identifier)
        let file = try directory.open(name, O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600)
        try file.writeAll(Array(text.utf8))
        return identifier
    }

    /// Removes a version and what is said of it.
    func discard(_ identifier: EntryName) throws(Errno) {
        do {
            try directory.removeFile(identifier)
        } catch Errno.noSuchFileOrDirectory {
            // Only its announcement stands there.
        } catch {
            throw error
        }
        // A version without its text has none to remove.
        try? directory.removeFile(Self.info(identifier))
    }

    /// Every version kept, the oldest first. One whose text cannot be read is told under its identifier.
    func versions() throws(Errno) -> [ReplacedVersion] {
        var versions: [ReplacedVersion] = []
        for name in try directory.names() where !Self.isInfo(name) {
            guard let status = try? directory.status(of: name) else { continue }
            let info = info(of: name)
            if info?.placeholder == status.inode { continue }
            versions.append(
                ReplacedVersion(
                    identifier: name, path: info?.path ?? RelativePath([name]),
                    date: info?.date ?? status.changed.floorDivided(by: 1_000_000_000), size: status.size))
        }
        return versions.sorted { ($0.date, $0.identifier) < ($1.date, $1.identifier) }
    }

    /// Removes what is too old, then the oldest until the rest is within the size, then what an interrupted
    /// exchange left.
    func prune(now: Int64) throws(Errno) {
        let versions = try versions()
        var size = versions.reduce(0) { $0 + $1.size }
        var kept: Set<EntryName> = []
        for version in versions {
            if version.date + limits.age < now || size > limits.size {
                size -= version.size
                try discard(version.identifier)
            } else {
                kept.formUnion([version.identifier, Self.info(version.identifier)])
            }
        }
        for name in try directory.names() where !kept.contains(name) {
            try? directory.removeFile(name)
        }
    }

    private static func isInfo(_ name: EntryName) -> Bool { name.description.hasSuffix(suffix) }

    private func info(of identifier: EntryName) -> Info? {
        try? Info(directory.open(Self.info(identifier), O_RDONLY).readAll(limit: 64 << 10))
    }

    private struct Info {
        var path = RelativePath.root
        var date: Int64 = 0
        var placeholder: UInt64 = 0

        init?(_ text: [UInt8]) {
            var hasPath = false
            for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
                let parts = line.split(separator: "=", maxSplits: 1)
                guard parts.count == 2 else { return nil }
                switch parts[0] {
                case "Path":
                    guard let decoded = PercentEncoding.decode(parts[1]).flatMap({ RelativePath(bytes: $0) }) else {
                        return nil
                    }
                    path = decoded
                    hasPath = true
                case "Date": date = min(max(Int64(parts[1]) ?? 0, 0), 1 << 40)
                case "Placeholder": placeholder = UInt64(parts[1]) ?? 0
                default: continue
                }
            }
            if !hasPath { return nil }
        }
    }
}
