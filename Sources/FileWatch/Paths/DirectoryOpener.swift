import CLinux
import Glibc
import SystemPackage

/// Opens directories of the tree by name from their parents, so that neither long paths nor symbolic links matter.
///
/// A few are kept open while a tree is scanned. They are closed when the scan ends, because an open directory prevents
/// unmounting its file system, and whenever directories are moved or removed.
final class DirectoryOpener {
    private static let capacity = 24
    private let gate: MountGate
    private var kept: [(node: WatchNodeID, descriptor: Int32)] = []

    init(gate: MountGate) {
        self.gate = gate
    }

    deinit {
        forgetAll()
    }

    /// Returns a descriptor for listing, which the caller must close.
    func open(_ node: WatchNodeID, in tree: AnchoredTree) throws(Errno) -> Int32 {
        if node == WatchTree.root { return try Self.openRoot() }
        guard let parent = tree.nodes.parent(of: node) else { throw .noSuchFileOrDirectory }
        return try open(node, of: tree, in: try descriptor(of: parent, in: tree), for: .list)
    }

    /// Keeps a directory open because directories in it will be opened next; the caller still has to close
    /// `descriptor`.
    func keep(_ node: WatchNodeID, _ descriptor: Int32) {
        guard !kept.contains(where: { $0.node == node }) else { return }
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        if copy >= 0 { insert(node, copy) }
    }

    func forgetAll() {
        for entry in kept { close(entry.descriptor) }
        kept = []
    }

    /// An open descriptor of a directory, owned by the opener and valid until its next call.
    private func descriptor(of node: WatchNodeID, in tree: AnchoredTree) throws(Errno) -> Int32 {
        var missing: [WatchNodeID] = []
        var current = node
        var base: Int32?
        while base == nil {
            if let index = kept.lastIndex(where: { $0.node == current }) {
                base = kept[index].descriptor
            } else if current == WatchTree.root {
                base = try Self.openRoot()
                insert(current, base ?? -1)
            } else {
                missing.append(current)
                guard let parent = tree.nodes.parent(of: current) else { throw .noSuchFileOrDirectory }
                current = parent
            }
        }
        guard var reached = base else { throw .noSuchFileOrDirectory }
        var isOwned = false
        for (position, next) in missing.reversed().enumerated() {
            let opened: Int32
            do throws(Errno) { opened = try open(next, of: tree, in: reached, for: .pass) } catch {
                if isOwned { close(reached) }
                throw error
            }
            if isOwned { close(reached) }
            reached = opened
            isOwned = position < missing.count - 1
        }
        if !missing.isEmpty { insert(node, reached) }
        return reached
    }

    private func insert(_ node: WatchNodeID, _ descriptor: Int32) {
        if kept.count >= Self.capacity { close(kept.removeFirst().descriptor) }
        kept.append((node, descriptor))
    }

    private func open(
        _ node: WatchNodeID, of tree: AnchoredTree, in directory: Int32, for purpose: MountGate.Purpose
    ) throws(Errno) -> Int32 {
        let name = tree.nodes.name(of: node)
        return try withUnsafeTemporaryAllocation(of: CChar.self, capacity: name.count + 1) { buffer throws(Errno) in
            for (index, byte) in name.enumerated() { buffer[index] = CChar(bitPattern: byte) }
            buffer[name.count] = 0
            guard let start = buffer.baseAddress else { throw .invalidArgument }
            do throws(Errno) {
                return try gate.openBelow(start, in: directory, for: purpose)
            } catch .improperLink {
                return try gate.enter(start, in: directory, for: purpose, at: tree.nodes.path(of: node))
            }
        }
    }

    private static func openRoot() throws(Errno) -> Int32 {
        let descriptor = clinux_open_directory(AT_FDCWD, "/")
        if descriptor < 0 { throw Errno(rawValue: errno) }
        return descriptor
    }
}
