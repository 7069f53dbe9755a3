internal import CFuse
internal import CLinux
internal import Glibc
internal import MountProtocol
internal import Support
internal import Synchronization
internal import SystemPackage

/// The directory behind the mounted folder, and where in it each item is.
///
/// Names are read and changed under one lock, because an item is known by its name: between the look at where it is and
/// what is done there, nobody may give that name to another.
final class BackingTree: Sendable {
    /// The directory itself.
    let root: BackingFile
    /// The file system that it is on.
    private let device: UInt64
    private let state: Mutex<MountCore>
    private let names = ReadersWriterLock()
    private let directories = Mutex(DirectoryCache())
    /// What has no name any more and is still in use.
    private let nameless = Mutex<[NodeNumber: BackingFile]>([:])
    /// Directories in which something was made that the kernel was not asked for, until it opens them again.
    private let changedDirectories = Mutex<Set<NodeNumber>>([])

    /// - Parameter root: The directory, open for reading.
    init(_ root: BackingFile) throws(Errno) {
        let status = try root.status()
        self.root = root
        device = status.device
        state = Mutex(MountCore(rootInode: status.attributes.ino))
    }

    /// Uses what is known of the folder. Nothing may be called meanwhile that waits for anything.
    func withCore<Value: Sendable>(_ body: (inout MountCore) -> Value) -> Value { state.withLock { body(&$0) } }

    // MARK: Names

    /// Looks at names, which nobody changes meanwhile.
    func reading<Value>(_ body: () throws(Errno) -> Value) throws(Errno) -> Value { try names.reading(body) }

    /// Changes names.
    func changing<Value>(_ body: () throws(Errno) -> Value) throws(Errno) -> Value { try names.changing(body) }

    /// A descriptor that stands for a directory. To be asked for under the lock of names.
    func directory(_ node: NodeNumber) throws(Errno) -> BackingFile {
        if node == .root { return root }
        if let file = directories.withLock({ $0[node] }) { return file }
        if let file = nameless.withLock({ $0[node] }) { return file }
        guard let path = withCore({ $0.nodes.path(of: node) }) else { throw .staleNFSFileHandle }
        let file = try descend(path, flags: CLINUX_O_PATH | O_DIRECTORY)
        directories.withLock { $0.insert(file, for: node) }
        return file
    }

    /// How an item is reached. To be asked for, and used, under the lock of names.
    func place(_ node: NodeNumber) throws(Errno) -> BackingPlace {
        if node == .root { return .itself(root) }
        if let spot = withCore({ $0.nodes.spot(of: node) }) { return .entry(try directory(spot.parent), spot.name) }
        guard let file = nameless.withLock({ $0[node] }) else { throw .staleNFSFileHandle }
        return .itself(file)
    }

    /// Opens what stands at a path, on no other file system and through no symbolic link.
    func descend(_ path: NodePath, flags: Int32) throws(Errno) -> BackingFile {
        var directory = root
        var rest = path.names[...]
        // A path may be longer than the kernel takes in one call.
        while rest.count > Self.part {
            let part = NodePath(Array(rest.prefix(Self.part)))
            directory = try Self.open(part.bytes, in: directory, CLINUX_O_PATH | O_DIRECTORY)
            rest = rest.dropFirst(Self.part)
        }
        let bytes = rest.isEmpty ? [UInt8(ascii: ".")] : NodePath(Array(rest)).bytes
        return try Self.open(bytes, in: directory, flags)
    }

    /// How many names of the largest length fit into one call.
    private static let part = NodePath.limit / (NodeName.limit + 1)

    private static func open(_ path: [UInt8], in directory: BackingFile, _ flags: Int32) throws(Errno) -> BackingFile {
        let terminated = path + [0]
        let resolve = UInt64(CLINUX_RESOLVE_STRICTLY_BENEATH) | UInt64(RESOLVE_NO_XDEV)
        let raw = try checked {
            terminated.withUnsafeBytes { bytes in
                clinux_openat2(
                    directory.raw, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                    flags | O_CLOEXEC | O_NOFOLLOW,
                    0, resolve)
            }
        }
        return BackingFile(owning: raw)
    }

    // MARK: Items

    /// Tells what stands at a name as one more answer to the kernel. To be used under the lock of names.
    func enter(_ name: NodeName, in parent: NodeNumber) throws(Errno) -> (node: NodeNumber, item: cfuse_item) {
        try enter(name, in: parent, status: BackingPlace.entry(directory(parent), name).status())
    }

    /// The same with a status that was just seen.
    func enter(
        _ name: NodeName, in parent: NodeNumber, status: cfuse_item
    ) throws(Errno) -> (node: NodeNumber, item: cfuse_item) {
        // What is mounted there is nothing that this folder holds.
        guard status.device == device else { throw .improperLink }
        let isShared = status.attributes.nlink > 1 && !status.attributes.isDirectory
        let inode = status.attributes.ino
        let node = withCore { $0.nodes.enter(name, in: parent, inode: inode, isShared: isShared) }
        guard let node else { throw .staleNFSFileHandle }
        return (node, status)
    }

    /// Tells of an item that has no name, which stays reachable by the descriptor.
    func enterNameless(_ file: BackingFile) throws(Errno) -> (node: NodeNumber, item: cfuse_item) {
        let status = try file.status()
        let node = withCore { $0.nodes.enterNameless(inode: status.attributes.ino) }
        nameless.withLock { $0[node] = file }
        return (node, status)
    }

    /// An item has lost its last known name and may still be in use. Where very many do at once, the kernel is about to
    /// forget them.
    func keep(_ file: BackingFile, for node: NodeNumber) {
        nameless.withLock { if $0.count < Self.namelessLimit { $0[node] = file } }
    }

    private static let namelessLimit = 16_384

    /// An item has a name again.
    func dropNameless(_ node: NodeNumber) { nameless.withLock { _ = $0.removeValue(forKey: node) } }

    /// The kernel has forgotten an item so many times.
    func forget(_ node: NodeNumber, _ count: UInt64) {
        guard withCore({ $0.nodes.forget(node, count) }) else { return }
        dropNameless(node)
        directories.withLock { $0.remove(node) }
    }

    /// The item at a path, which is kept known until it is forgotten once. To be asked for under the lock of names.
    func find(_ path: NodePath) throws(Errno) -> (node: NodeNumber, item: cfuse_item) {
        var found: (node: NodeNumber, item: cfuse_item) = (.root, try root.status())
        for name in path.names {
            let directory = found.node
            // What leads there is known as long as something in it is.
            defer { forget(directory, 1) }
            found = try enter(name, in: directory)
        }
        return found
    }

    // MARK: Changes that the kernel did not ask for

    /// Something was made in a directory.
    func noteChange(in directory: NodeNumber) { changedDirectories.withLock { _ = $0.insert(directory) } }

    /// Whether what the kernel has read of a directory may be missing something; once.
    func takeChange(in directory: NodeNumber) -> Bool {
        changedDirectories.withLock { $0.remove(directory) != nil }
    }
}
