/// What an operation changes, as it was just before its result is recorded: the looks that its changes ask for follow from
/// that.
struct OperationTraces {
    private let operation: Operation
    /// The directories that it may move, and their paths.
    private let directories: [(NodeID, RelativePath)]
    /// The files that it changes, moves or removes. If the user changed one of them at that moment, the watcher reports a
    /// name that it may no longer have, but its other names show the change.
    private let files: [Node]
    /// The path of the directory that it puts in the trash; nil if it does not discard one.
    private let discarded: RelativePath?

    init(of operation: Operation, _ items: Items) throws {
        self.operation = operation
        directories = try Self.directories(of: operation, items)
        files = try Self.files(of: operation, items)
        discarded = try Self.discardedDirectory(of: operation, items)
    }

    private static func directories(of operation: Operation, _ items: Items) throws -> [(NodeID, RelativePath)] {
        try operation.concerned.compactMap { id in
            guard try items.store.node(id, in: operation.side.tree)?.kind == .directory else { return nil }
            return try items.store.path(of: id, in: operation.side.tree).map { (id, $0) }
        }
    }

    private static func files(of operation: Operation, _ items: Items) throws -> [Node] {
        var ids = operation.concerned
        if let discarded = operation.discarded { ids += try items.subtreeUpwards(discarded, in: .local) }
        // Where a directory goes with everything in it, no file has another name: the remote's lasting IDs name one item.
        if operation.isOfTree { ids = [] }
        return try ids.compactMap { try items.store.node($0, in: operation.side.tree) }.filter { $0.kind == .file }
    }

    private static func discardedDirectory(of operation: Operation, _ items: Items) throws -> RelativePath? {
        guard let id = operation.discarded, try items.store.node(id, in: .local)?.kind == .directory else { return nil }
        return try items.store.path(of: id, in: .local)
    }

    /// The result is recorded: what was seen or told before of the places that changed is outdated.
    func note(_ items: inout Items, _ survey: inout Survey) throws {
        if let discarded { survey.changes.noteDiscard(discarded, at: items.now) }
        for id in operation.concerned {
            if let row = try items.store.node(id, in: operation.side.tree) {
                survey.noteChange(operation.side, row.place)
                if row.kind == .directory {
                    survey.changes.noteOwn(SideDirectory(side: operation.side, node: id), at: items.now)
                }
            }
        }
        for file in files { try survey.checkOtherNames(of: file, on: operation.side, items, isGone: true) }
        for (id, path) in directories where try items.store.path(of: id, in: operation.side.tree) != path {
            try survey.noteMove(of: id, from: path, on: operation.side, &items)
        }
    }
}
