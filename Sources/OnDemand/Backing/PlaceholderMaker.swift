internal import CFuse
internal import CLinux
internal import Glibc
internal import MountProtocol
internal import Support
internal import SystemPackage

/// Makes placeholders behind the mounted folder, which is far faster than through it; programs that watch the folder
/// are told nothing. So what is made for people who may be looking is made in the worker's own area and moved.
struct PlaceholderMaker {
    let tree: BackingTree
    let device: KernelDevice

    /// The inode of each, or why it could not be made.
    func make(_ items: [NewPlaceholder]) -> [MountReport.Made] {
        var made: [MountReport.Made] = []
        var changed: Set<NodeNumber> = []
        for item in items {
            do throws(Errno) {
                let (inode, directory) = try make(item)
                made.append(.inode(inode))
                // The kernel may know that there is nothing of this name.
                guard let directory, let name = item.path.names.last else { continue }
                device.invalidate(name, in: directory)
                changed.insert(directory)
            } catch {
                made.append(.failed(error))
            }
        }
        // It may know what is in the directory.
        for node in changed {
            tree.noteChange(in: node)
            device.invalidate(node)
        }
        return made
    }

    /// The inode of the new file, and the directory if the kernel knows it.
    private func make(_ item: NewPlaceholder) throws(Errno) -> (UInt64, NodeNumber?) {
        guard let name = item.path.names.last else { throw .invalidArgument }
        let parent = NodePath(Array(item.path.names.dropLast()))
        return try tree.reading { () throws(Errno) in
            let known = tree.withCore { $0.nodes.find(parent) }
            if let known { return (try make(item, name, in: tree.directory(known)), known) }
            return (try make(item, name, in: tree.descend(parent, flags: CLINUX_O_PATH | O_DIRECTORY)), nil)
        }
    }

    /// It has everything before it has a name, so that nothing of it is ever taken for something else.
    private func make(_ item: NewPlaceholder, _ name: NodeName, in directory: BackingFile) throws(Errno) -> UInt64 {
        let path = "/proc/self/fd/\(directory.raw)"
        let flags = CLINUX_O_TMPFILE | O_RDWR | O_CLOEXEC
        let file = BackingFile(owning: try checked { open(path, flags, 0o600) })
        if item.contents.size > 0 {
            try file.setMark(PlaceholderMark(item.contents))
            try file.setSize(item.contents.size)
        }
        try checked { fchmod(file.raw, item.mode) }
        let date = FileTime(nanoseconds: item.modified).timespec
        try checked { futimens(file.raw, [date, date]) }
        let inode = try file.status().attributes.ino
        try checked {
            name.withPointer { linkat(AT_FDCWD, "/proc/self/fd/\(file.raw)", directory.raw, $0, AT_SYMLINK_FOLLOW) }
        }
        return inode
    }
}
