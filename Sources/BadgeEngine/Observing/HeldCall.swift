internal import RoundelBus
internal import Support

/// A call that waits for a provider.
struct HeldCall {
    enum Kind {
        /// RequestBadges; the items in the order of the call.
        case badges([Int32])
        case directory(after: ItemName?, limit: Int)
    }

    let token: CallToken
    let client: String
    let kind: Kind
    let deadline: Instant
    /// How many of the items, from the first on, have been answered.
    private var answered = 0

    init(_ call: HostCall, _ kind: Kind, until deadline: Instant) {
        token = call.token
        client = call.caller
        self.kind = kind
        self.deadline = deadline
    }

    /// Whether the call is for the whole directory.
    var isForWhole: Bool {
        switch kind {
        case .badges: false
        case .directory: true
        }
    }

    /// The items in the call.
    var items: [Int32] {
        switch kind {
        case .badges(let indices): indices
        case .directory: []
        }
    }

    /// Whether a provider is still being asked about one of the items.
    mutating func awaitsItem(in table: ItemTable) -> Bool {
        guard case .badges(let indices) = kind else { return false }
        while answered < indices.count && !table.isAsked(Int(indices[answered])) { answered += 1 }
        return answered < indices.count
    }
}
