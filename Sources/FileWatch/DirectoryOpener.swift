import CLinux
import Glibc
import SystemPackage

/// Opens directories of the tree by name from their parents, so that neither a long path nor a symbolic link matters.
///
/// A few are kept open while a tree is being scanned. They are let go when the scan ends, because an open directory
/// keeps its file system from being unmounted, and whenever directories move or go.
final class DirectoryOpener {
    private static let capacity = 24
    private var kept: [(node: NodeID, descriptor: Int32)] = []

    deinit {
        forgetAll()
    }

    /// A descriptor that the caller closes, open for listing.
    func open(_ node: NodeID, in tree: borrowing WatchTree) throws(Errno) -> Int32 {
        if node == WatchTree.root { return try Self.checked(clinux_open_directory(AT_FDCWD, "/")) }
        guard let parent = tree.parent(of: node) else { throw .noSuchFileOrDirectory }
        return try Self.open(tree.name(of: node), at: try descriptor(of: parent, in: tree))
    }

    /// Keeps a directory open because directories in it will be opened next; the caller still closes `descriptor`.
    func keep(_ node: NodeID, _ descriptor: Int32) {
        guard !kept.contains(where: { $0.node == node }) else { return }
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        if copy >= 0 { insert(node, copy) }
    }

    func forgetAll() {
        for entry in kept { close(entry.descriptor) }
        kept = []
    }

    /// An open descriptor of a directory, owned by the opener and valid until its next call.
    private func descriptor(of node: NodeID, in tree: borrowing WatchTree) throws(Errno) -> Int32 {
        var missing: [NodeID] = []
        var current = node
        var base: Int32?
        while base == nil {
            if let index = kept.lastIndex(where: { $0.node == current }) {
                base = kept[index].descriptor
            } else if current == WatchTree.root {
                base = try Self.checked(clinux_open_directory(AT_FDCWD, "/"))
                insert(current, base ?? -1)
            } else {
                missing.append(current)
                guard let parent = tree.parent(of: current) else { throw .noSuchFileOrDirectory }
                current = parent
            }
        }
        guard var reached = base else { throw .noSuchFileOrDirectory }
        var isOwned = false
        for (position, next) in missing.reversed().enumerated() {
            let opened: Int32
            do throws(Errno) { opened = try Self.openToPass(tree.name(of: next), at: reached) } catch {
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

    private func insert(_ node: NodeID, _ descriptor: Int32) {
        if kept.count >= Self.capacity { close(kept.removeFirst().descriptor) }
        kept.append((node, descriptor))
    }

    private static func open(_ name: UnsafeBufferPointer<UInt8>, at directory: Int32) throws(Errno) -> Int32 {
        try checked(terminated(name) { clinux_open_directory(directory, $0) })
    }

    /// Directories on the way need search permission alone.
    private static func openToPass(_ name: UnsafeBufferPointer<UInt8>, at directory: Int32) throws(Errno) -> Int32 {
        try checked(terminated(name) { clinux_pass_directory(directory, $0) })
    }

    private static func checked(_ descriptor: Int32) throws(Errno) -> Int32 {
        if descriptor < 0 { throw Errno(rawValue: errno) }
        return descriptor
    }

    private static func terminated(_ name: UnsafeBufferPointer<UInt8>, _ body: (UnsafePointer<CChar>) -> Int32) -> Int32
    {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: name.count + 1) { buffer in
            for (index, byte) in name.enumerated() { buffer[index] = CChar(bitPattern: byte) }
            buffer[name.count] = 0
            return buffer.baseAddress.map { body($0) } ?? -1
        }
    }
}
