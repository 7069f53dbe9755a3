/// Why nothing is begun.
enum Halt: Hashable {
    /// A safeguard: a root is missing or another one. The message says what to do.
    case stopped(FolderStatus.StopReason, String)
    /// A side cannot be reached.
    case offline(String)
    /// So many deletions on that side wait for the user.
    case confirmDeletes(count: Int, side: Side)
}

/// The safeguards: roots, and what is missing.
extension SyncSession {
    /// The deletions that are carried out without asking.
    enum DeletionLimit {
        /// More than this many are asked about, whatever the size of the folder.
        static let absolute = 1_000
        /// More than half are asked about if they are more than this many.
        static let ofHalf = 20
    }

    /// Both roots were probed.
    mutating func takeRoots(local: RootState, remote: RootState) throws {
        try remember(.root)
        for (side, state) in [(Side.local, local), (.remote, remote)] {
            switch state {
            case .missing(let message):
                halt = .stopped(side == .local ? .rootMissing : .remoteMissing, message)
                return
            case .unreachable(let message):
                halt = .offline(message)
                return
            case .present(let identity, let generation):
                if try !isKnownRoot(identity, on: side) { return }
                try checkGeneration(generation, on: side)
            }
        }
        if isBarredHalt { halt = nil }
        looking.wasProbed = true
        if looking.needsScan {
            looking.needsScan = false
            looking.emptied = []
            looking.wasScanned = true
            for side in Side.allCases { looking.list(side, .root, isDeep: true) }
        }
    }

    private var isBarredHalt: Bool {
        if case .confirmDeletes = halt { return false }
        return halt != nil
    }

    private mutating func isKnownRoot(_ identity: Token, on side: Side) throws -> Bool {
        let key: StoreKey = side == .local ? .localRoot : .remoteRoot
        guard let known = try store.value(key) else {
            try store.setValue(identity.bytes, for: key)
            return true
        }
        if known == identity.bytes { return true }
        let which = side == .local ? "The folder on this computer" : "The remote folder"
        halt = .stopped(
            side == .local ? .rootReplaced : .remoteReplaced,
            "\(which) is not the one that was synced. Bring the old one back, or remove the folder and add it again.")
        return false
    }

    /// A remote restored from a backup holds old versions: without a base nothing of the newer ones is deleted.
    private mutating func checkGeneration(_ generation: Token, on side: Side) throws {
        guard side == .remote, !generation.isEmpty else { return }
        let known = try store.value(.remoteGeneration)
        if known == generation.bytes { return }
        try store.setValue(generation.bytes, for: .remoteGeneration)
        if known == nil { return }
        try forgetBase()
        looking.needsScan = true
    }

    /// Both sides are united from now on: equal items are adopted, different ones conflict, none is deleted.
    private mutating func forgetBase() throws {
        try store.removeAll(in: .synced)
        try store.put(Self.rootRow, in: .synced)
        for side in Side.allCases {
            var stack = [NodeID.root]
            while let id = stack.popLast() {
                for child in try childIDs(of: id, in: side.tree) {
                    try markDirty(child)
                    stack.append(child)
                }
            }
        }
        try commit()
    }

    /// Everything was looked at: what is missing now is gone, unless so much is that the user has to confirm it.
    ///
    /// What goes while the folder is paused is decided on together when it goes on.
    mutating func settle() throws {
        guard !isPaused, looking.running == 0, !looking.hasWork, batch == nil else { return }
        guard looking.isUnsettled else {
            looking.wasScanned = false
            return
        }
        switch halt {
        case .stopped, .offline: return
        case .confirmDeletes, nil: break
        }
        if try mayMoreGoMissing() || isProbeDue() { return }
        try remember(.root)
        if !areDeletesConfirmed, let (count, side) = try tooManyDeletions() {
            halt = .confirmDeletes(count: count, side: side)
            looking.isUnsettled = false
            isRunning = true
            return try commit()
        }
        if case .confirmDeletes = halt { halt = nil }
        for side in Side.allCases { try settleMissing(on: side) }
        looking.isUnsettled = false
        areDeletesConfirmed = false
        looking.emptied = []
        looking.wasScanned = false
        looking.missing.count = 0
        try commit()
    }

    /// A root that went away takes all that is in it along: what is missing was deleted only if the root is still there.
    private mutating func isProbeDue() throws -> Bool {
        if looking.wasProbed { return false }
        guard try Side.allCases.contains(where: { try store.missingCount(on: $0) > 0 }) else { return false }
        looking.needsProbe = true
        try look()
        return true
    }

    /// Deletions are told a few at a time while they go on, and each few may be less than has to be asked about. So it
    /// is waited until no further one came for a second, unless everything was listed.
    private mutating func mayMoreGoMissing() throws -> Bool {
        let count = try Side.allCases.reduce(0) { try $0 + store.missingCount(on: $1) }
        if count < 2 || looking.wasScanned || areDeletesConfirmed { return false }
        if count != looking.missing.count {
            looking.missing = (count, now.monotonic + Self.missingPatience)
            actions.append(.setTimer(.settle, milliseconds: Int(Self.missingPatience)))
        }
        return now.monotonic < looking.missing.due
    }

    /// In milliseconds.
    private static let missingPatience: Int64 = 1_000

    private func tooManyDeletions() throws -> (count: Int, side: Side)? {
        for side in Side.allCases {
            let missing = try store.missingCount(on: side)
            if missing == 0 { continue }
            let known = try store.count(in: .synced) - 1
            let isMost = missing > DeletionLimit.ofHalf && missing * 2 > known
            let hasNothingLeft = try looking.emptied.contains(side) || store.count(in: side.tree) - 1 == missing
            let isEmptied = hasNothingLeft && missing >= 2
            if missing > DeletionLimit.absolute || isMost || isEmptied { return (missing, side.other) }
        }
        return nil
    }

    private mutating func settleMissing(on side: Side) throws {
        while let id = try store.missing(on: side, after: .none, limit: 1).first {
            for gone in try subtreeUpwards(id, in: side.tree) {
                try erase(gone, from: side.tree)
                if try isKnown(gone) { try markDirty(gone) }
            }
        }
    }

    /// An item and all below it, those below first.
    func subtreeUpwards(_ id: NodeID, in tree: Tree) throws -> [NodeID] {
        var order: [NodeID] = []
        var stack = [id]
        while let node = stack.popLast() {
            order.append(node)
            stack += try childIDs(of: node, in: tree)
        }
        return order.reversed()
    }
}
