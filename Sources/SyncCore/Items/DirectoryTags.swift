/// With which tags directories of the remote were found to hold what is known of them, at any depth: on a server whose tags
/// change with all that is below, nothing has to be listed there while the tag is the same.
///
/// A directory gets its tag when a listing of it was no news and each directory in it has its own. The tag was told before
/// that listing, and with it once more: of two different ones neither counts. Whatever is written about an item takes the tags of
/// all directories away that hold it.
struct DirectoryTags {
    /// A directory that was listed, and the directories in it that have no tag yet.
    private struct Listed {
        var tag: Token
        var open: Set<NodeID>
    }

    private var listed: [NodeID: Listed] = [:]
    /// Whether any directory has a tag: most remotes give none.
    private var hasAny = false

    /// Continues with what the store holds, as long as the same names are synced as then: others were not looked at.
    mutating func load(from store: any TreeStore, excluding excludes: ExcludePatterns) throws {
        let patterns = excludes.key
        hasAny = try store.hasListedTags()
        if try store.value(.listedExcludes) == patterns { return }
        try removeAll(from: store)
        try store.setValue(patterns, for: .listedExcludes)
    }

    /// Everything is to be listed again.
    mutating func removeAll(from store: any TreeStore) throws {
        listed = [:]
        if hasAny { try store.removeListedTags() }
        hasAny = false
    }

    /// Whether nothing in a directory differs from what is known, if it has this tag now.
    func isUnchanged(_ directory: NodeID, at tag: Token, in store: any TreeStore) throws -> Bool {
        try hasAny && !tag.isEmpty && store.listedTag(directory) == tag
    }

    /// A scan of everything begins: what an earlier one did not come to counts no longer.
    mutating func beginScan() { listed = [:] }

    /// A directory was listed, and nothing in it was news.
    ///
    /// - Parameters:
    ///   - tag: As it was told before; empty if none was.
    ///   - open: The directories in it that are to be listed as well.
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

    /// A row of the remote tree is going to be written or removed, or has been: nothing is known for certain of what holds
    /// it, or is in it.
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
    /// Equal for those that exclude the same names.
    fileprivate var key: [UInt8] {
        Array((Self.own + Self.defaults).map { Array($0.utf8) }.joined(separator: [0x0A]))
            + custom.flatMap { [0x0A] + $0 }
    }
}
