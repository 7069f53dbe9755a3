import Glibc
package import SyncCore
package import SystemPackage

/// One side of a folder that is no longer synced: its kept versions can be listed, put back, aged and deleted. Nothing
/// is created for it. Calls block.
package final class RemovedSide: KeepsVersions {
    private let path: FilePath
    /// The identity of the root when it was synced.
    private let known: Token
    private let owner: EntryName
    /// The folder's own directory below `$XDG_STATE_HOME`, and `$XDG_DATA_HOME`; nil for a remote.
    private let own: (state: FilePath, dataHome: FilePath)?

    /// The user's folder.
    package init(
        local path: FilePath, known: Token, owner: EntryName, stateDirectory: FilePath, dataHome: FilePath
    ) {
        (self.path, self.known, self.owner) = (path, known, owner)
        own = (stateDirectory, dataHome)
    }

    /// A directory as the remote.
    package init(remote path: FilePath, known: Token, owner: EntryName) {
        (self.path, self.known, self.owner) = (path, known, owner)
        own = nil
    }

    private var side: Side { own == nil ? .remote : .local }

    package func keptVersions() throws(EffectFailure) -> [KeptVersion] {
        let root = try openRoot()
        return try EffectFailure.attempt(.root, on: side) { () throws(Errno) in try reached(from: root).versions() }
    }

    package func keptVersions(_ page: KeptPage) throws(EffectFailure) -> [KeptVersion] {
        let root = try openRoot()
        return try EffectFailure.attempt(.root, on: side) { () throws(Errno) in try reached(from: root).versions(page) }
    }

    /// - Throws: also ``Explanation/Code/rootMissing`` and ``Explanation/Code/rootReplaced`` if no place is given and
    ///   the side's own root is gone or was replaced by another directory.
    package func restore(_ version: KeptVersion, below place: FilePath?) throws(EffectFailure) -> RelativePath {
        let root = try openRoot()
        let (stores, target) = try EffectFailure.attempt(version.path, on: side) { () throws(Errno) in
            (try reached(from: root), try place.map { path throws(Errno) in try DirectoryHandle(absolute: path) })
        }
        if let target { return try stores.restore(version, below: target) }
        switch root {
        case .present(let directory): return try stores.restore(version, below: directory)
        case .missing: throw EffectFailure(.notFound, Explanation(.rootMissing, side, "\(path)"))
        case .replaced: throw EffectFailure(.changed, Explanation(.rootReplaced, side))
        }
    }

    package func delete(_ version: KeptVersion) throws(EffectFailure) {
        let root = try openRoot()
        try EffectFailure.attempt(version.path, on: side) { () throws(Errno) in try reached(from: root) }
            .delete(version)
    }

    /// Removes versions that exceed the limits of age or size, and returns how many are still kept.
    package func age() throws(EffectFailure) -> Int {
        let root = try openRoot()
        return try EffectFailure.attempt(.root, on: side) { () throws(Errno) -> Int in
            let stores = try reached(from: root)
            for holder in stores.holders { _ = try holder.replaced?.prune() }
            return try stores.versions().count
        }
    }

    /// Removes what the engine needed to sync the folder: its databases, and its own directories that hold nothing.
    package func removeRemains() {
        if let own, let parent = try? DirectoryHandle(absolute: own.state.removingLastComponent()),
            let name = own.state.lastName
        {
            if let area = try? parent.directory(at: RelativePath([name])) {
                for file in (try? area.names()) ?? [] where Self.isDatabase(file) { try? area.removeFile(file) }
            }
            Self.removeArea(name, from: parent)
        }
        guard case .present(let root)? = try? openRoot(),
            let hidden = try? root.directory(at: RelativePath([HiddenArea.name]))
        else { return }
        Self.removeArea(owner, from: hidden)
        // Others may be about to use that of a remote.
        guard own != nil else { return }
        if isMarkNeedless(root, hidden) { try? hidden.removeFile(RootMark.fileName) }
        try? root.removeDirectory(HiddenArea.name)
    }

    /// Whether the folder's mark is all that is left, and the folder is recognised without it.
    private func isMarkNeedless(_ root: DirectoryHandle, _ hidden: DirectoryHandle) -> Bool {
        guard (try? hidden.names()) == [RootMark.fileName], var identity = try? RootMark.identity(of: root) else {
            return false
        }
        identity.mark = nil
        return RootIdentity.compare(known: known, found: identity.token) == .same
    }

    /// Removes the engine's own directories in a folder that keeps them elsewhere from now on, and the desktop's trash
    /// there, if they hold nothing.
    package static func removeEmptyAreas(in folder: FilePath, owner: EntryName) {
        guard let root = try? DirectoryHandle(absolute: folder) else { return }
        if let hidden = try? root.directory(at: RelativePath([HiddenArea.name])) {
            removeArea(owner, from: hidden)
            try? root.removeDirectory(HiddenArea.name)
        }
        DesktopTrash.removeEmpty(in: root)
    }

    private static func isDatabase(_ name: EntryName) -> Bool {
        ["trees.sqlite", "transfers.sqlite"].contains { name.description.hasPrefix($0) }
    }

    /// Removes an area in which nothing is kept.
    private static func removeArea(_ name: EntryName, from parent: DirectoryHandle) {
        guard let area = try? parent.directory(at: RelativePath([name])) else { return }
        for directory in HiddenArea.directories { try? area.removeDirectory(directory) }
        // Its clock counts for what is kept alone.
        guard let left = try? area.names(), left.allSatisfy({ LivedClock.fileNames.contains($0) }) else { return }
        for file in left { try? area.removeFile(file) }
        try? parent.removeDirectory(name)
    }

    // MARK: Places

    private enum Root {
        case present(DirectoryHandle)
        case missing
        case replaced
    }

    private func openRoot() throws(EffectFailure) -> Root {
        do throws(Errno) {
            let directory = try DirectoryHandle(absolute: path)
            let found = try RootMark.identity(of: directory).token
            return RootIdentity.compare(known: known, found: found) == nil ? .replaced : .present(directory)
        } catch .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels {
            return .missing
        } catch {
            throw EffectFailure(error, .root, on: side)
        }
    }

    /// The kept versions, as far as they can be reached. Throws if the root that held all of them cannot be reached,
    /// because an empty answer would be wrong.
    private func reached(from root: Root) throws(Errno) -> KeptStores {
        var holders: [KeptStores.Holder] = []
        if let own, let area = try? DirectoryHandle(absolute: own.state), let replaced = ReplacedStore(in: area) {
            holders.append(KeptStores.Holder(replaced: replaced))
        }
        switch root {
        case .present(let directory):
            for point in [.root] + MountedPlaces.points(below: path) {
                if let holder = holder(below: directory, at: point) { holders.append(holder) }
            }
        case .missing, .replaced:
            guard let own, !holders.isEmpty else { throw .noSuchFileOrDirectory }
            holders[0].trash = try? DesktopTrash(homeTrashOf: path, dataHome: own.dataHome)
        }
        return KeptStores(holders: holders, side: side)
    }

    /// What is kept in a root, or on a file system mounted in it; nil if nothing is.
    private func holder(below root: DirectoryHandle, at point: RelativePath) -> KeptStores.Holder? {
        let area = RelativePath(point.names + [HiddenArea.name, owner])
        let replaced = (try? root.directory(at: area)).flatMap { ReplacedStore(in: $0) }
        var trash: DesktopTrash?
        if let own, point.isRoot || replaced != nil, let place = try? root.directory(at: point) {
            let path = point.isRoot ? self.path : point.withCString { self.path.pushing(FilePath(platformString: $0)) }
            trash = try? DesktopTrash(for: place, at: path, dataHome: own.dataHome)
        }
        guard replaced != nil || trash != nil else { return nil }
        return KeptStores.Holder(replaced: replaced, trash: trash, prefix: point)
    }
}
