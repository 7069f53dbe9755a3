import Glibc
import SyncCore
import Synchronization
import SystemPackage

/// The open root of a side, and what the engine keeps on its file system.
final class Workspace: Sendable {
    let directory: DirectoryHandle
    let kind: FileSystemKind
    let clock: FileClock
    let trash: DesktopTrash?
    /// Bytes in the store of replaced versions when it was looked through; 0 if it was not.
    let keptBytes: UInt64
    private let opened: Result<HiddenArea, Errno>

    /// Opens what belongs to `directory`; the first time, when the clock is not known, it also removes what earlier
    /// runs left staged there, and replaced versions that are too old.
    ///
    /// A root that cannot be written has no hidden area: it can be read all the same.
    init(
        _ directory: DirectoryHandle, path: FilePath, stateDirectory: FilePath?, disposal: DiskEndpoint.Disposal,
        owner: EntryName, session: String, knownClock: FileClock?
    ) throws(Errno) {
        self.directory = directory
        kind = try FileSystemKind(of: directory.descriptor)
        var keptBytes: UInt64 = 0
        opened = Self.openArea { () throws(Errno) in
            let area = try HiddenArea(for: directory, preferring: stateDirectory, owner: owner)
            if knownClock == nil {
                try area.removeLeftovers(except: session)
                let replaced = ReplacedStore(area.replaced)
                try replaced.removeLeftovers()
                try replaced.finishDisplacements(below: directory)
                keptBytes = try replaced.prune(now: DiskEndpoint.seconds())
            }
            return area
        }
        self.keptBytes = keptBytes
        if let knownClock {
            clock = knownClock
        } else {
            let staging = try? opened.get().staging
            let name = RandomName.component(prefix: session)
            clock = Self.measure(kind, staging, name)
        }
        if case .trash(let dataHome) = disposal {
            trash = try? DesktopTrash(for: directory, at: path, dataHome: dataHome)
        } else {
            trash = nil
        }
    }

    private static func openArea(_ open: () throws(Errno) -> HiddenArea) -> Result<HiddenArea, Errno> {
        do throws(Errno) {
            return .success(try open())
        } catch {
            return .failure(error)
        }
    }

    private static func measure(_ kind: FileSystemKind, _ staging: DirectoryHandle?, _ name: EntryName) -> FileClock {
        guard let staging, let clock = try? FileClock(of: kind, measuredIn: staging, name: name) else {
            return FileClock(of: kind)
        }
        return clock
    }

    /// The hidden area; the error says why there is none.
    func area() throws(Errno) -> HiddenArea {
        try opened.get()
    }

    /// Where versions go that are replaced.
    func replaced() throws(Errno) -> ReplacedStore {
        ReplacedStore(try area().replaced)
    }

    /// Whether an entry of the directory at `path` is the engine's: its hidden area, by name in the root, by identity
    /// anywhere else.
    func isOwn(_ entry: DirectoryEntry, in path: RelativePath) -> Bool {
        if path.isRoot && entry.name == HiddenArea.name { return true }
        guard case .success(let area) = opened else { return false }
        return entry.status.inode == area.identity.inode && entry.status.device == area.identity.device
    }
}
