/// The tags of remote directories whose contents are known at any depth. On a server whose tags change with anything
/// below, nothing in such a directory must be listed while the tag is the same.
///
/// A directory gets its tag when a listing of it showed no change and each directory in it has a tag. The tag is read
/// before that listing and again with it: if the two differ, neither counts. Any change to the row of an item removes
/// the tags of all directories that contain it.
struct DirectoryTags {
    /// A directory that was listed, and the directories in it that have no tag yet.
    private struct Listed {
        var tag: Token
        var open: Set<NodeID>
    }

    private var listed: [NodeID: Listed] = [:]
    /// Whether any directory has a tag: most remotes provide none.
    private(set) var hasAny = false

    /// Loads what the store has, unless the exclude patterns changed: names that were excluded then were not looked at.
    mutating func load(from store: any TreeStore, excluding excludes: ExcludePatterns) throws {
        let patterns = excludes.key
        hasAny = try store.hasListedTags()
        if try store.value(.listedExcludes) == patterns { return }
        try removeAll(from: store)
        try store.setValue(patterns, for: .listedExcludes)
    }

    /// Makes everything be listed again.
    mutating func removeAll(from store: any TreeStore) throws {
        listed = [:]
        if hasAny { try store.removeListedTags() }
        hasAny = false
    }

    /// Whether the contents of a directory are known to be unchanged if it has this tag now.
    func isUnchanged(_ directory: NodeID, at tag: Token, in store: any TreeStore) throws -> Bool {
        try hasAny && !tag.isEmpty && store.listedTag(directory) == tag
    }

    /// Begins a full scan: what an earlier one did not complete is outdated.
    mutating func beginScan() { listed = [:] }

    /// A directory was listed without any change.
    ///
    /// - Parameters:
    ///   - tag: The tag that was read before; empty if there was none.
    ///   - open: The directories in it that must be listed as well.
    mutating func noteUnchanged(
        _ directory: NodeID, at tag: Token, except open: Set<NodeID>, in store: any TreeStore
    ) throws {
        listed[directory] = nil
        if tag.isEmpty { return }
        if !open.isEmpty { return listed[directory] = Listed(tag: tag, open: open) }
        var (done, tag) = (directory, tag)
        while true {
            try store.setListedTag(tag, of: done)
            hasAny = true
            guard let parent = try store.node(done, in: .remote)?.parent,
                listed[parent]?.open.remove(done) != nil, let above = listed[parent], above.open.isEmpty
            else { return }
            listed[parent] = nil
            (done, tag) = (parent, above.tag)
        }
    }

    /// A row of the remote tree is about to change or did: nothing is certain any more about the item's contents and
    /// ancestors.
    mutating func noteChange(of id: NodeID, in store: any TreeStore) throws {
        if !hasAny && listed.isEmpty { return }
        var current = id
        while current != .none {
            listed[current] = nil
            if hasAny, try store.listedTag(current) != nil { try store.setListedTag(nil, of: current) }
            current = try store.node(current, in: .remote)?.parent ?? .none
        }
    }
}

extension ExcludePatterns {
    /// Equal for patterns that exclude the same names.
    fileprivate var key: [UInt8] {
        Array((Self.own + Self.defaults).map { Array($0.utf8) }.joined(separator: [0x0A]))
            + custom.flatMap { [0x0A] + $0 }
            + guarded.map { Array($0.names.map(\.bytes).joined(separator: [0x2F])) }
            .sorted { $0.lexicographicallyPrecedes($1) }.flatMap { [0x0A, 0x2F, 0x2F] + $0 }
    }
}
