import CLinux
import Glibc
import SystemPackage

/// Follows the path of an anchor from `/` and watches the directories on the way.
final class AnchorLocator {
    private let anchors: AnchorTable
    private let tree: AnchoredTree
    private let watches: DirectoryWatches
    private let backlog: Backlog
    private let opener: DirectoryOpener
    private let gate: MountGate

    init(
        anchors: AnchorTable, tree: AnchoredTree, watches: DirectoryWatches, backlog: Backlog, opener: DirectoryOpener,
        gate: MountGate
    ) {
        self.anchors = anchors
        self.tree = tree
        self.watches = watches
        self.backlog = backlog
        self.opener = opener
        self.gate = gate
    }

    /// Finds an anchor again and sets its state.
    func locate(_ anchor: Anchor) {
        tree.release(anchor)
        anchor.set(found(anchor))
    }

    private func found(_ anchor: Anchor) -> Anchor.State {
        guard let path = resolvedPath(of: anchor) else { return .unwatchable }
        anchor.resolve(to: path)
        if anchor.isRecursive { anchor.setUnwatchablePoints(gate.table.unwatchablePoints(below: path)) }
        return walk(anchor, path.names)
    }

    /// The anchor's path without symbolic links among the ancestors; nil if it is on an unwatchable file system.
    private func resolvedPath(of anchor: Anchor) -> FilePath? {
        let wanted: FilePath
        switch anchor.role {
        case .folder: wanted = anchor.path
        case .observed:
            if let path = anchors.pathBelowFolder(anchor.path) { return watchable(path) }
            // A directory outside all folders is a parent of one, and may itself be a link to a directory.
            wanted = anchor.path.appending(".")
        case .link: return watchable(anchor.path)
        }
        switch PathResolver(mounts: gate.table, gate: gate).resolve(wanted) {
        case .resolved(let resolution): return resolution.resolved
        case .unwatchable(let resolution):
            anchor.resolve(to: resolution.resolved)
            return nil
        }
    }

    /// A path without symbolic links; nil if it is on an unwatchable file system.
    private func watchable(_ path: FilePath) -> FilePath? { gate.table.kind(at: path) == .local ? path : nil }

    /// Walks down from `/` and watches each directory before opening the next component.
    private func walk(_ anchor: Anchor, _ components: [FilePath.Component]) -> Anchor.State {
        var node = WatchTree.root
        var path: FilePath = "/"
        var directory = clinux_open_at(AT_FDCWD, "/", CLINUX_PASS_DIRECTORY)
        defer { close(directory) }
        for (index, component) in components.enumerated() {
            if index == components.count - 1 { tree.use(node, by: anchor) }
            _ = watches.ensureWatch(node, directory)
            guard !tree.nodes.isFree(node) else { return startOver(anchor) }
            path.append(component)
            do throws(Errno) {
                let next = try descend(anchor, to: component, at: path, from: node, directory)
                close(directory)
                directory = next
            } catch {
                guard anchor.waitsAt != nil || error == .improperLink else { return startOver(anchor) }
                return error == .improperLink ? .unwatchable : obstacle(component, in: directory)
            }
            node = component.withBytes { tree.nodes.child(of: node, named: $0) ?? add($0, to: node) }
        }
        return attach(anchor, to: node, directory)
    }

    /// Adds a directory that is not known yet. A scan of its parent will take it for one that has been scanned.
    private func add(_ name: UnsafeBufferPointer<UInt8>, to parent: WatchNodeID) -> WatchNodeID {
        let node = tree.add(name, to: parent)
        if tree.isCovered(node) { watches.queueScan(node) }
        return node
    }

    /// Opens the next directory of the path. If it is missing, the anchor waits for it.
    private func descend(
        _ anchor: Anchor, to component: FilePath.Component, at path: FilePath, from node: WatchNodeID,
        _ directory: Int32
    ) throws(Errno) -> Int32 {
        do throws(Errno) {
            return try gate.open(component, in: directory, for: .pass, at: path)
        } catch .improperLink {
            throw .improperLink
        } catch {
            // Only now is this directory known to be needed; the item may have appeared in between.
            wait(anchor, at: node, for: component, directory)
            guard anchor.waitsAt != nil else { throw error }
            let next = try gate.open(component, in: directory, for: .pass, at: path)
            tree.stopWaiting(anchor)
            return next
        }
    }

    /// Starts again, because what was known about the path turned out to be outdated.
    private func startOver(_ anchor: Anchor) -> Anchor.State {
        backlog.locate(anchor)
        return .dropped
    }

    private func attach(_ anchor: Anchor, to node: WatchNodeID, _ directory: Int32) -> Anchor.State {
        tree.end(anchor, at: node, Anchor.Identity(of: directory))
        opener.forgetAll()
        if watches.ensureWatch(node, directory) != .watched, !tree.nodes.isFree(node), anchor.isRecursive {
            watches.refuse(node)
        }
        return tree.nodes.isFree(node) ? .dropped : .attached(node)
    }

    private func wait(
        _ anchor: Anchor, at node: WatchNodeID, for component: FilePath.Component, _ directory: Int32
    ) {
        tree.wait(anchor, at: node, for: component.withBytes { Array($0) })
        _ = watches.ensureWatch(node, directory)
        if let parent = tree.nodes.parent(of: node) {
            tree.use(parent, by: anchor)
            watches.refreshWatch(parent)
        }
        opener.forgetAll()
    }

    /// What is at the place of the anchor instead of a directory.
    private func obstacle(_ component: FilePath.Component, in directory: Int32) -> Anchor.State {
        // The path matters only for a mount, and a directory mounted there would not be an obstacle.
        guard let found = try? gate.open(component, in: directory, for: .look, at: "/") else { return .missing }
        defer { close(found) }
        var status = stat()
        let kind = fstat(found, &status) == 0 ? PathResolver.kind(ofMode: status.st_mode & S_IFMT) : .missing
        return kind == .symbolicLink || kind == .file ? .blocked(kind) : .missing
    }
}
