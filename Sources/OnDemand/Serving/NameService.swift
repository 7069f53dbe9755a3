internal import CFuse
internal import CLinux
internal import Glibc
internal import MountProtocol
internal import SystemPackage

/// Answers what the kernel asks about names: what stands at them, what is to be made there, what goes.
struct NameService: Sendable {
    let tree: BackingTree
    let device: KernelDevice
    let doorkeeper: Doorkeeper

    func lookUp(_ request: inout KernelRequest) throws(Errno) {
        let (parent, name) = (request.node, try request.name())
        do throws(Errno) {
            let (node, item) = try tree.reading { () throws(Errno) in try tree.enter(name, in: parent) }
            answer(request.unique, node, item)
        } catch .noSuchFileOrDirectory {
            device.answer(request.unique, KernelAnswer.nothing)
        } catch {
            throw error
        }
    }

    // MARK: Making

    func makeDirectory(_ request: inout KernelRequest) throws(Errno) {
        let asked: fuse_mkdir_in = try request.part()
        try make(&request, mask: asked.umask) { mkdirat($0, $1, asked.mode) }
    }

    func makeNode(_ request: inout KernelRequest) throws(Errno) {
        let asked: fuse_mknod_in = try request.part()
        try make(&request, mask: asked.umask) { mknodat($0, $1, asked.mode, cfuse_device(asked.rdev)) }
    }

    func makeLink(_ request: inout KernelRequest) throws(Errno) {
        let name = try request.name()
        let target = try request.text() + [0]
        try make(&request, named: name) { directory, path in
            target.withUnsafeBytes { bytes in
                bytes.baseAddress.map { symlinkat($0.assumingMemoryBound(to: CChar.self), directory, path) } ?? -1
            }
        }
    }

    private func make(
        _ request: inout KernelRequest, mask: UInt32, _ call: (Int32, UnsafePointer<CChar>) -> Int32
    ) throws(Errno) {
        let name = try request.name()
        umask(mask)
        try make(&request, named: name, call)
    }

    private func make(
        _ request: inout KernelRequest, named name: NodeName, _ call: (Int32, UnsafePointer<CChar>) -> Int32
    ) throws(Errno) {
        let (parent, header) = (request.node, request.header)
        let (node, item) = try tree.reading { () throws(Errno) in
            let directory = try tree.directory(parent)
            try checked { name.withPointer { call(directory.raw, $0) } }
            Self.setGroup(.entry(directory, name), header)
            return try tree.enter(name, in: parent)
        }
        answer(request.unique, node, item)
    }

    func create(_ request: inout KernelRequest) throws(Errno) {
        let asked: fuse_create_in = try request.part()
        let (parent, name, header) = (request.node, try request.name(), request.header)
        umask(asked.umask)
        // What the kernel does not know of came from the worker meanwhile: it looks again.
        let flags = Self.kept(asked.flags) | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let (file, node, item) = try tree.reading { () throws(Errno) in
            let directory = try tree.directory(parent)
            let file = try Self.opened { name.withPointer { openat(directory.raw, $0, flags, asked.mode) } }
            Self.setGroup(.itself(file), header)
            let (node, item) = try tree.enter(name, in: parent)
            return (file, node, item)
        }
        answer(request.unique, opened: file, node, item)
    }

    /// Makes a file that has no name yet (O_TMPFILE).
    func createNameless(_ request: inout KernelRequest) throws(Errno) {
        let asked: fuse_create_in = try request.part()
        let (parent, header) = (request.node, request.header)
        umask(asked.umask)
        let flags = Self.kept(asked.flags) | Int32(bitPattern: asked.flags) & O_EXCL | CLINUX_O_TMPFILE | O_CLOEXEC
        let (file, node, item) = try tree.reading { () throws(Errno) in
            let directory = try tree.directory(parent)
            let file = try Self.opened { open("/proc/self/fd/\(directory.raw)", flags, asked.mode) }
            Self.setGroup(.itself(file), header)
            // Who closes it may still give it a name by a descriptor that stands for it.
            let (node, item) = try tree.enterNameless(BackingPlace.itself(file).open(CLINUX_O_PATH))
            return (file, node, item)
        }
        answer(request.unique, opened: file, node, item)
    }

    private static func kept(_ flags: UInt32) -> Int32 {
        Int32(bitPattern: flags) & (O_ACCMODE | CLINUX_O_NOATIME)
    }

    private static func opened(_ call: () -> Int32) throws(Errno) -> BackingFile {
        do throws(Errno) {
            return BackingFile(owning: try checked(call))
        } catch .fileExists {
            throw .staleNFSFileHandle
        } catch {
            throw error
        }
    }

    /// A new item has the group of whoever made it, which may be another than this program's, unless the directory
    /// decides (chmod(1), set-group-ID).
    private static func setGroup(_ place: BackingPlace, _ header: fuse_in_header) {
        guard header.gid != getegid(), let item = try? place.status().attributes, item.gid == getegid() else { return }
        place.withPath { isEntry, path in _ = isEntry ? lchown(path, .max, header.gid) : chown(path, .max, header.gid) }
    }

    private func answer(_ request: UInt64, _ node: NodeNumber, _ item: cfuse_item) {
        if !device.answer(request, KernelAnswer.entry(node, item)) { tree.forget(node, 1) }
    }

    private func answer(_ request: UInt64, opened file: BackingFile, _ node: NodeNumber, _ item: cfuse_item) {
        doorkeeper.created(node)
        let handle = file.handOver()
        let opened = fuse_open_out(fh: UInt64(handle), open_flags: UInt32(FOPEN_KEEP_CACHE), padding: 0)
        guard !device.answer(request, KernelAnswer.entry(node, item), opened) else { return }
        doorkeeper.close(handle, of: node)
        tree.forget(node, 1)
    }

    // MARK: Removing and renaming

    func remove(_ request: inout KernelRequest, isDirectory: Bool) throws(Errno) {
        let (parent, name) = (request.node, try request.name())
        let gone = try tree.changing { () throws(Errno) in
            let directory = try tree.directory(parent)
            let loser = Loser(at: .entry(directory, name))
            try checked { name.withPointer { unlinkat(directory.raw, $0, isDirectory ? AT_REMOVEDIR : 0) } }
            let node = tree.withCore { $0.nodes.remove(name, in: parent, isLast: loser.isLast) }
            return keep(loser, as: node)
        }
        if let gone { doorkeeper.gone(gone) }
        device.confirm(request.unique)
    }

    func rename(_ request: inout KernelRequest, hasFlags: Bool) throws(Errno) {
        let newParent: UInt64
        var flags: UInt32 = 0
        if hasFlags {
            let asked: fuse_rename2_in = try request.part()
            (newParent, flags) = (asked.newdir, asked.flags)
        } else {
            newParent = try request.part(fuse_rename_in.self).newdir
        }
        let from = NodeTree.Spot(parent: request.node, name: try request.name())
        let target = NodeTree.Spot(parent: NodeNumber(rawValue: newParent), name: try request.name())
        let gone = try tree.changing { () throws(Errno) in try rename(from, to: target, flags) }
        if let gone { doorkeeper.gone(gone) }
        device.confirm(request.unique)
    }

    /// - Returns: The item that was replaced, if it is in use still.
    private func rename(_ from: NodeTree.Spot, to target: NodeTree.Spot, _ flags: UInt32) throws(Errno) -> NodeNumber? {
        let (source, directory) = (try tree.directory(from.parent), try tree.directory(target.parent))
        let isExchange = flags & CLINUX_RENAME_EXCHANGE != 0
        let loser = isExchange ? nil : Loser(at: .entry(directory, target.name))
        try checked {
            from.name.withPointer { old in
                target.name.withPointer { clinux_renameat2(source.raw, old, directory.raw, $0, flags) }
            }
        }
        guard let loser else {
            tree.withCore { $0.nodes.exchange(from, target) }
            return nil
        }
        return keep(loser, as: tree.withCore { $0.nodes.move(from, to: target, isLast: loser.isLast) })
    }

    /// What a name leads to that is about to be taken from it.
    private struct Loser {
        /// Stands for it when it has no name any more; nil if there is nothing.
        let file: BackingFile?
        /// Whether it has no other name.
        let isLast: Bool

        init(at place: BackingPlace) {
            file = try? place.pin()
            isLast = (try? file?.status().attributes.nlink) ?? 1 <= 1
        }
    }

    private func keep(_ loser: Loser, as node: NodeNumber?) -> NodeNumber? {
        if let node, let file = loser.file { tree.keep(file, for: node) }
        return node
    }
}
