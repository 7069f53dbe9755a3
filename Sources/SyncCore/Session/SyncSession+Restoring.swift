/// The user's answers to what a session may stop and ask about; they count for the run that they are given with.
public struct SyncAnswers: OptionSet, Hashable, Sendable {
    /// One bit for each answer.
    public let rawValue: UInt8

    /// From the bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Carry out every deletion that this run finds.
    public static let confirmDeletes = SyncAnswers(rawValue: 1)
    /// The remote was restored from a backup: unite both sides and delete nothing.
    public static let unite = SyncAnswers(rawValue: 2)
    /// What is old at the remote is meant: follow it as any other change.
    public static let acceptRemote = SyncAnswers(rawValue: 4)
}

/// What looks like a remote that was put back to an older state.
struct Restore: Hashable {
    /// Files that returned to a version they had before.
    var returned: Int
    /// Items that are missing.
    var missing: Int

    /// A sentence about what was seen.
    var message: String {
        let files = returned == 1 ? "1 file is" : "\(returned) files are"
        let items = missing == 1 ? "1 item is" : "\(missing) items are"
        let seen =
            (returned > 0 ? ["\(files) back at an older version"] : []) + (missing > 0 ? ["\(items) missing"] : [])
        return "The remote looks restored from a backup: \(seen.joined(separator: " and ")). "
            + "Nothing is synced until you decide what to keep."
    }
}

/// The safeguard against a remote that was put back to an older state: what is newer here is neither replaced nor
/// deleted for it without a question.
extension SyncSession {
    /// So many signs are asked about.
    private static let restoreLimit = 5
    /// Finds again what an earlier session had not decided on, and stops where that one did.
    mutating func findRestore() throws {
        for _ in 0..<(try items.findReturned()) { noteUnrest() }
        guard try items.store.value(.remoteRestored) != nil else { return }
        looking.isRestoreKnown = true
        halt = .restored(
            Restore(returned: items.restored.returned.count, missing: try items.store.missingCount(on: .remote)))
    }

    /// What is to be asked about before anything is replaced or deleted here; nil if nothing is.
    ///
    /// One file that a person put back is no restore. Neither are equal copies in the place of files, unless something
    /// else is gone.
    func restoreQuestion() throws -> Restore? {
        let missing = try items.store.missingCount(on: .remote)
        let returned = items.restored.returned.count
        guard returned + missing > 0 else { return nil }
        let before = returned > 0 ? try window(.remoteReturns)?.count ?? 0 : 0
        let isRestore =
            looking.isRestoreKnown || returned + before + items.restored.recreated >= Self.restoreLimit
            || (returned > 0 && returned + before + missing >= Self.restoreLimit)
        return isRestore ? Restore(returned: returned, missing: missing) : nil
    }

    /// The remote looks restored: true if the user has not said yet what that is to mean.
    mutating func settleRestore() throws -> Bool {
        let answers = answers
        self.answers = []
        if let restore = try restoreQuestion(), !answers.contains(.acceptRemote) {
            guard answers.contains(.unite) else {
                try items.store.setValue([1], for: .remoteRestored)
                looking.isRestoreKnown = true
                halt = .restored(restore)
                return true
            }
            try items.forgetBase()
            // Without a base nothing is deleted.
            confirmation = .run
            try endRestore()
        } else if answers.contains(.acceptRemote) {
            try endRestore()
        } else {
            try passReturned()
        }
        if case .restored = halt { halt = nil }
        return false
    }

    private mutating func endRestore() throws {
        try items.store.setValue(nil, for: .remoteReturns)
        try endQuestion()
    }

    /// Few files returned: they are followed, and counted for an hour.
    private mutating func passReturned() throws {
        if !items.restored.returned.isEmpty {
            var window = try window(.remoteReturns) ?? LossWindow(began: items.seconds, known: 0, firstYoung: .root)
            window.count += items.restored.returned.count
            try items.store.setValue(window.bytes, for: .remoteReturns)
        }
        try endQuestion()
    }

    private mutating func endQuestion() throws {
        if looking.isRestoreKnown { try items.store.setValue(nil, for: .remoteRestored) }
        looking.isRestoreKnown = false
        items.restored.removeAll()
    }
}
