/// The synchronisation of one folder: a state machine that is told what happened and says what is to be done.
///
/// It owns the store while it lives and commits to it by itself, in the order of promise 3. It touches nothing else:
/// effects are values for the caller to carry out.
public struct SyncSession {
    let store: any TreeStore
    var configuration: SessionConfiguration

    /// A session over a store, of which everything uncommitted is discarded. Send it `start` first.
    public init(store: any TreeStore, configuration: SessionConfiguration) {
        self.store = store
        self.configuration = configuration
    }

    /// Takes one event and returns what is to be done. An error comes from the store and ends the session: roll the
    /// store back to its last commit and begin a new one.
    public mutating func handle(_ event: SessionEvent, now: Moment) throws -> [SessionAction] {
        []
    }

    /// What a person is to see of an item: its state, its progress (0 to 100, nil when nothing moves) and a message.
    public func presentation(of id: NodeID) throws -> ItemPresentation {
        ItemPresentation(state: try store.status(id)?.state ?? .synced)
    }
}
