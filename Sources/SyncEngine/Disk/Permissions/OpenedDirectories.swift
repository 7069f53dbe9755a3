import SyncCore
import Synchronization
import SystemPackage

/// Directories that their owner may not write to, because the remote does not let its user change them, and that are
/// opened for the moment in which what changed at the remote is brought in.
final class OpenedDirectories: Sendable {
    /// A directory that was opened, until it is closed.
    struct Opened: Sendable {
        fileprivate let directory: DirectoryHandle
        fileprivate let key: Key
    }

    fileprivate struct Key: Hashable, Sendable {
        let device: UInt64
        let inode: UInt64
    }

    private struct Held {
        /// Its mode before, and while it is open.
        var before: UInt32
        var open: UInt32
        var count: Int
    }

    private static let ownerWrites: UInt32 = 0o200
    private let root: DiskRoot
    private let held = Mutex<[Key: Held]>([:])

    init(in root: DiskRoot) { self.root = root }

    /// Opens those of the directories that are closed to their owner, or are open for somebody else. One that cannot be
    /// opened stays as it is: what is done in it fails and says why.
    func open(_ paths: [RelativePath]) -> [Opened] { paths.compactMap(open) }

    private func open(_ path: RelativePath) -> Opened? {
        guard let directory = try? root.workspace().directory.directory(at: path) else { return nil }
        return held.withLock { held in
            guard let status = try? directory.descriptor.status() else { return nil }
            let key = Key(device: status.device, inode: status.inode)
            if held[key] != nil {
                held[key]?.count += 1
                return Opened(directory: directory, key: key)
            }
            guard status.mode & Self.ownerWrites == 0 else { return nil }
            let (before, open) = (status.mode & 0o7777, status.mode & 0o7777 | Self.ownerWrites)
            guard (try? directory.descriptor.setMode(open)) != nil else { return nil }
            held[key] = Held(before: before, open: open, count: 1)
            return Opened(directory: directory, key: key)
        }
    }

    /// Gives the directories the modes that they had, once nobody else needs them open. Those that got another mode
    /// meanwhile keep it.
    func close(_ opened: [Opened]) {
        for one in opened {
            held.withLock { held in
                guard var state = held[one.key] else { return }
                state.count -= 1
                held[one.key] = state.count == 0 ? nil : state
                guard state.count == 0, let now = try? one.directory.descriptor.status(),
                    now.mode & 0o7777 == state.open
                else { return }
                try? one.directory.descriptor.setMode(state.before)
            }
        }
    }
}
