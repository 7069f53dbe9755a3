/// An effect for an item failed: the item is tried again now or later, or shows an error.
struct ItemFailure {
    private let item: NodeID
    private let failure: EffectFailure

    init(_ item: NodeID, _ failure: EffectFailure) {
        self.item = item
        self.failure = failure
    }

    /// Notes it for the item. If a side cannot be reached at all, that is for the session to note.
    func note(_ items: inout Items, _ survey: inout Survey, _ outbox: inout Outbox) throws {
        if try items.noteDemandedFailure(failure, of: item) { return }
        items.agenda.add(item)
        items.blocks.note(failure, of: item, at: items.now)
        switch failure.reason {
        // Whatever it waited for before is over.
        case .busy: try items.setReason(item, .nothing)
        case .changed, .notFound, .exists, .notEmpty:
            // What goes on being otherwise than expected is no chance: a side takes two names for one, or tells of an
            // item what is not so.
            if items.blocks.isPersistent(item) { try show(&items, &outbox) }
        case .putOff: try items.setReason(item, failure.message)
        case .unreachable: break
        case .notMounted: survey.queue.requestMounts()
        case .nameClash, .denied, .noSpace, .io: try show(&items, &outbox)
        }
    }

    /// The item shows an error, which goes into the log once.
    private func show(_ items: inout Items, _ outbox: inout Outbox) throws {
        let path = try items.store.path(of: item, in: .local) ?? items.store.path(of: item, in: .remote) ?? .root
        let message =
            failure.message.isEmpty ? Explanation(.failed, nil, "\(path)", "5") : failure.message
        try items.setError(item, message)
        guard items.blocks.isNews(message, of: item) else { return }
        outbox.report(Activity(kind: .error, node: item, path: path, detail: message.stored))
    }
}
