internal import CFuse

/// What the kernel is told of items. All of it is valid until it is told otherwise.
enum KernelAnswer {
    static func attributes(_ item: cfuse_item) -> fuse_attr_out {
        fuse_attr_out(attr_valid: KernelSession.forever, attr_valid_nsec: 0, dummy: 0, attr: item.attributes)
    }

    static func entry(_ node: NodeNumber, _ item: cfuse_item) -> fuse_entry_out {
        fuse_entry_out(
            nodeid: node.rawValue, generation: 0, entry_valid: KernelSession.forever, attr_valid: KernelSession.forever,
            entry_valid_nsec: 0, attr_valid_nsec: 0, attr: item.attributes)
    }

    /// There is nothing of this name.
    static var nothing: fuse_entry_out {
        var entry = fuse_entry_out()
        entry.entry_valid = KernelSession.forever
        return entry
    }

    static func allAttributes(_ item: cfuse_item) -> cfuse_statx_out {
        var answer = cfuse_statx_out()
        withUnsafePointer(to: item) { cfuse_tell($0, &answer) }
        answer.attr_valid = KernelSession.forever
        return answer
    }
}
