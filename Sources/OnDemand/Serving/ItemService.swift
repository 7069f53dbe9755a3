internal import CFuse
internal import CLinux
internal import Glibc
internal import MountProtocol
internal import SystemPackage

/// Answers what the kernel asks about items that need not be open: attributes, targets of links, extended attributes.
struct ItemService: Sendable {
    let tree: BackingTree
    let device: KernelDevice
    let link: WorkerLink

    // MARK: Attributes

    func attributes(_ request: inout KernelRequest) throws(Errno) {
        let asked: fuse_getattr_in = try request.part()
        let item = try status(request.node, asked.getattr_flags & UInt32(FUSE_GETATTR_FH) != 0 ? asked.fh : nil)
        device.answer(request.unique, KernelAnswer.attributes(item))
    }

    func allAttributes(_ request: inout KernelRequest) throws(Errno) {
        let asked: cfuse_statx_in = try request.part()
        let item = try status(request.node, asked.getattr_flags & UInt32(FUSE_GETATTR_FH) != 0 ? asked.fh : nil)
        device.answer(request.unique, KernelAnswer.allAttributes(item))
    }

    private func status(_ node: NodeNumber, _ handle: UInt64?) throws(Errno) -> cfuse_item {
        if let handle { return try BackingFile(borrowing: Int32(truncatingIfNeeded: handle)).status() }
        return try tree.reading { () throws(Errno) in try tree.place(node).status() }
    }

    /// The change that the kernel asks for.
    static func change(_ request: inout KernelRequest) throws(Errno) -> AttributeChange {
        let asked: fuse_setattr_in = try request.part()
        func has(_ bit: Int32) -> Bool { asked.valid & UInt32(bit) != 0 }
        var change = AttributeChange()
        if has(FATTR_MODE) { change.mode = asked.mode }
        if has(FATTR_UID) { change.owner = asked.uid }
        if has(FATTR_GID) { change.group = asked.gid }
        if has(FATTR_SIZE) { change.size = asked.size }
        if has(FATTR_FH) { change.handle = Int32(truncatingIfNeeded: asked.fh) }
        if has(FATTR_ATIME) { change.accessed = time(has(FATTR_ATIME_NOW), asked.atime, asked.atimensec) }
        if has(FATTR_MTIME) { change.modified = time(has(FATTR_MTIME_NOW), asked.mtime, asked.mtimensec) }
        return change
    }

    private static func time(_ isNow: Bool, _ seconds: UInt64, _ nanoseconds: UInt32) -> AttributeChange.Time {
        isNow ? .now : .at(seconds: Int64(bitPattern: seconds), nanoseconds: nanoseconds)
    }

    func readLink(_ request: inout KernelRequest) throws(Errno) {
        let node = request.node
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = try tree.reading { () throws(Errno) in
            let item = try tree.place(node).pin()
            return try checked { readlinkat(item.raw, "", &buffer, buffer.count) }
        }
        buffer.withUnsafeBytes { device.answer(request.unique, bytes: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }

    func fileSystem(_ request: inout KernelRequest) throws(Errno) {
        var status = statvfs()
        try checked { fstatvfs(tree.root.raw, &status) }
        var answer = fuse_statfs_out()
        answer.st.blocks = UInt64(status.f_blocks)
        answer.st.bfree = UInt64(status.f_bfree)
        answer.st.bavail = UInt64(status.f_bavail)
        answer.st.files = UInt64(status.f_files)
        answer.st.ffree = UInt64(status.f_ffree)
        answer.st.bsize = UInt32(clamping: status.f_bsize)
        answer.st.frsize = UInt32(clamping: status.f_frsize)
        answer.st.namelen = UInt32(clamping: status.f_namemax)
        device.answer(request.unique, answer)
    }

    // MARK: Extended attributes

    private static let valueLimit = 65_536

    func extended(_ request: inout KernelRequest) throws(Errno) {
        let asked: fuse_getxattr_in = try request.part()
        let name = try request.text()
        if Self.isOwn(name), !link.isWorker(request.thread) { throw .noData }
        let terminated = name + [0]
        let value = try read(request.node) { isEntry, path, buffer in
            terminated.withUnsafeBytes { bytes in
                let name = bytes.assumingMemoryBound(to: CChar.self).baseAddress
                return isEntry
                    ? lgetxattr(path, name, buffer.baseAddress, buffer.count)
                    : getxattr(path, name, buffer.baseAddress, buffer.count)
            }
        }
        try answer(request.unique, value, limit: asked.size)
    }

    func listExtended(_ request: inout KernelRequest) throws(Errno) {
        let asked: fuse_getxattr_in = try request.part()
        let list = try read(request.node) { isEntry, path, buffer in
            let base = buffer.assumingMemoryBound(to: CChar.self).baseAddress
            return isEntry ? llistxattr(path, base, buffer.count) : listxattr(path, base, buffer.count)
        }
        let shown = list.split(separator: 0).filter { !Self.isOwn($0) }.flatMap { $0 + [0] }
        try answer(request.unique, shown, limit: asked.size)
    }

    func setExtended(_ request: inout KernelRequest) throws(Errno) {
        // Without FUSE_SETXATTR_EXT, the structure ends here.
        let size: UInt32 = try request.part()
        let flags: UInt32 = try request.part()
        let name = try request.text()
        let value = try request.bytes(Int(size))
        if Self.isOwn(name) { throw .notPermitted }
        let terminated = name + [0]
        try call(request.node) { isEntry, path in
            terminated.withUnsafeBytes { bytes in
                let name = bytes.assumingMemoryBound(to: CChar.self).baseAddress
                return isEntry
                    ? lsetxattr(path, name, value.baseAddress, value.count, Int32(flags))
                    : setxattr(path, name, value.baseAddress, value.count, Int32(flags))
            }
        }
        device.confirm(request.unique)
    }

    func removeExtended(_ request: inout KernelRequest) throws(Errno) {
        let name = try request.text()
        if Self.isOwn(name) { throw .noData }
        let terminated = name + [0]
        try call(request.node) { isEntry, path in
            terminated.withUnsafeBytes { bytes in
                let name = bytes.assumingMemoryBound(to: CChar.self).baseAddress
                return isEntry ? lremovexattr(path, name) : removexattr(path, name)
            }
        }
        device.confirm(request.unique)
    }

    private static func isOwn(_ name: some Collection<UInt8>) -> Bool {
        name.starts(with: Placeholder.attributePrefix.utf8)
    }

    private func call(_ node: NodeNumber, _ body: (Bool, UnsafePointer<CChar>) -> Int32) throws(Errno) {
        try tree.reading { () throws(Errno) in
            let place = try tree.place(node)
            try checked { place.withPath(body) }
        }
    }

    /// What a call writes into a buffer that is as large as anything can be.
    private func read(
        _ node: NodeNumber, _ body: (Bool, UnsafePointer<CChar>, UnsafeMutableRawBufferPointer) -> Int
    ) throws(Errno) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: Self.valueLimit)
        let count = try tree.reading { () throws(Errno) in
            let place = try tree.place(node)
            return try checked { buffer.withUnsafeMutableBytes { bytes in place.withPath { body($0, $1, bytes) } } }
        }
        return Array(buffer.prefix(count))
    }

    /// Answers how large a value is, or with the value.
    private func answer(_ request: UInt64, _ value: [UInt8], limit: UInt32) throws(Errno) {
        if limit == 0 {
            device.answer(request, fuse_getxattr_out(size: UInt32(value.count), padding: 0))
        } else if value.count > Int(limit) {
            throw .outOfRange
        } else {
            value.withUnsafeBytes { device.answer(request, bytes: $0) }
        }
    }
}
