import Glibc
import SystemPackage

/// One version that the engine replaced or removed, and keeps for a while.
struct ReplacedVersion: Sendable {
    /// The name under which it is kept.
    var identifier: FilePath.Component
    /// Where it was, relative to the folder's root.
    var path: FilePath
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

    /// Notes that a version of `path` is about to be kept under the identifier returned.
    ///
    /// - Parameter placeholder: The inode of the file that stands there until the exchange happened. Should the
    ///   machine stop in between, that file is recognised as no version of a person's.
    func announce(path: FilePath, placeholder: UInt64 = 0, date: Int64) throws(Errno) -> FilePath.Component {
        let identifier = RandomName.component()
        let text = "Path=\(PercentEncoding.encode(path))\nDate=\(date)\nPlaceholder=\(placeholder)\n"
        let name = FilePath(identifier.string + Self.suffix)
        let file = try directory.open(name, O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600)
        try file.writeAll(Array(text.utf8))
        return identifier
    }

    /// Removes a version and what is said of it.
    func discard(_ identifier: FilePath.Component) throws(Errno) {
        do {
            try directory.removeFile(identifier)
        } catch Errno.noSuchFileOrDirectory {
            // Only its announcement stands there.
        } catch {
            throw error
        }
        if let info = FilePath.Component(identifier.string + Self.suffix) { try directory.removeFile(info) }
    }

    /// Every version kept, the oldest first.
    func versions() throws(Errno) -> [ReplacedVersion] {
        var versions: [ReplacedVersion] = []
        for name in try directory.names() where name.string.hasSuffix(Self.suffix) {
            guard let identifier = FilePath.Component(String(name.string.dropLast(Self.suffix.count))),
                let info = try? Info(directory.open(FilePath(root: nil, [name]), O_RDONLY).readAll(limit: 64 << 10)),
                let status = try? directory.status(of: identifier), status.inode != info.placeholder
            else { continue }
            versions.append(
                ReplacedVersion(identifier: identifier, path: info.path, date: info.date, size: status.size))
        }
        return versions.sorted { ($0.date, $0.identifier.string) < ($1.date, $1.identifier.string) }
    }

    /// Removes what is too old, then the oldest until the rest is within the size, then what an interrupted
    /// exchange left.
    func prune(now: Int64) throws(Errno) {
        let versions = try versions()
        var size = versions.reduce(0) { $0 + $1.size }
        var kept: Set<String> = []
        for version in versions {
            if version.date + limits.age < now || size > limits.size {
                size -= version.size
                try discard(version.identifier)
            } else {
                kept.insert(version.identifier.string)
            }
        }
        for name in try directory.names() {
            let stem =
                name.string.hasSuffix(Self.suffix) ? String(name.string.dropLast(Self.suffix.count)) : name.string
            if !kept.contains(stem) { try? directory.removeFile(name) }
        }
    }

    private struct Info {
        var path = FilePath()
        var date: Int64 = 0
        var placeholder: UInt64 = 0

        init?(_ text: [UInt8]) {
            var hasPath = false
            for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
                let parts = line.split(separator: "=", maxSplits: 1)
                guard parts.count == 2 else { return nil }
                switch parts[0] {
                case "Path":
                    guard let decoded = PercentEncoding.decode(parts[1]) else { return nil }
                    path = decoded
                    hasPath = true
                case "Date": date = Int64(parts[1]) ?? 0
                case "Placeholder": placeholder = UInt64(parts[1]) ?? 0
                default: continue
                }
            }
            if !hasPath { return nil }
        }
    }
}
