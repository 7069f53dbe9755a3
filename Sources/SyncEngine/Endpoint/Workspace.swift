import Glibc
import SyncCore
import Synchronization
import SystemPackage

/// The open root of a side, and what the engine keeps on its file system.
final class Workspace: Sendable {
    let directory: DirectoryHandle
    let kind: FileSystemKind
    /// What the file system's clock is ahead of this machine's, in nanoseconds.
    let clockOffset: Int64
    let trash: DesktopTrash?
    private let opened: Result<HiddenArea, Errno>

    /// Opens what belongs to `directory`; the first time it also removes what earlier runs left staged there, and
    /// replaced versions that are too old.
    ///
    /// A root that cannot be written has no hidden area: it can be read all the same.
    init(
        _ directory: DirectoryHandle, path: FilePath, stateDirectory: FilePath?, disposal: DiskEndpoint.Disposal,
        owner: EntryName, session: String, isFirst: Bool
    ) throws(Errno) {
        self.directory = directory
        kind = try FileSystemKind(of: directory.descriptor)
        opened = Self.openArea { () throws(Errno) in
            let area = try HiddenArea(for: directory, preferring: stateDirectory, owner: owner)
            if isFirst {
                try area.removeLeftovers(except: session)
                try ReplacedStore(area.replaced).prune(now: DiskEndpoint.seconds())
            }
            return area
        }
        clockOffset = kind == .local ? 0 : (try? Self.offset(in: opened.get(), session)) ?? 0
        if case .keep(let dataHome) = disposal {
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

    /// Compares the clocks by a file made just now.
    private static func offset(in area: HiddenArea, _ session: String) throws(Errno) -> Int64 {
        let name = RandomName.component(prefix: session)
        let file = try area.staging.open(name, O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600)
        let changed = try file.status().changed
        try area.staging.removeFile(name)
        return changed - FileVersions.now()
    }
}
