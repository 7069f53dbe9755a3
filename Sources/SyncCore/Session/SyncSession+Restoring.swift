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
    /// Versions kept of each file.
    private static let earlierVersions = 8

    /// Before a file gets another base: the version that the remote held is kept in mind.
    mutating func keepEarlier(of base: Node) throws {
        guard base.kind == .file, let new = base.remote, let old = try store.node(base.id, in: .synced)?.remote
        else { return }
        let earlier = EarlierVersion(old)
        if earlier == EarlierVersion(new) { return }
        let kept = try store.earlierVersions(base.id).filter { $0 != earlier } + [earlier]
        try store.setEarlierVersions(Array(kept.suffix(Self.earlierVersions)), of: base.id)
    }

    /// A file at the remote looks different.
    mutating func noteRestored(_ old: Node, _ new: Node) throws {
        guard let version = new.remote, let base = try store.node(new.id, in: .synced)?.remote else { return }
        if try isReturned(version, new.id, base) {
            if looking.returned.insert(new.id).inserted { noteUnrest() }
            return
        }
        looking.returned.remove(new.id)
        let isAnother = version.identity != base.identity && old.remote?.identity != version.identity
        if isAnother && EarlierVersion(version) == EarlierVersion(base) { looking.recreated += 1 }
        if old.isMissing { noteUnrest() }
    }

    private func isReturned(_ version: Version, _ id: NodeID, _ base: Version) throws -> Bool {
        if EarlierVersion(version) == EarlierVersion(base) { return false }
        return try store.earlierVersions(id).contains { $0.isRestored(as: version) }
    }

    /// Finds again what an earlier session had not decided on, and stops where that one did.
    mutating func findRestore() throws {
        try findReturned()
        guard try store.value(.remoteRestored) != nil else { return }
        looking.isRestoreKnown = true
        halt = .restored(Restore(returned: looking.returned.count, missing: try store.missingCount(on: .remote)))
    }

    private mutating func findReturned() throws {
        var last = NodeID.none
        while true {
            let page = try store.dirty(after: last, limit: 256)
            for id in page {
                guard let row = try store.node(id, in: .remote), row.kind == .file, !row.isMissing else { continue }
                try noteRestored(row, row)
            }
            guard page.count == 256, let end = page.last else { return }
            last = end
        }
    }

    /// What is to be asked about before anything is replaced or deleted here; nil if nothing is.
    ///
    /// One file that a person put back is no restore. Neither are equal copies in the place of files, unless something
    /// else is gone.
    func restoreQuestion() throws -> Restore? {
        let missing = try store.missingCount(on: .remote)
        let returned = looking.returned.count
        guard returned + missing > 0 else { return nil }
        let before = returned > 0 ? try window(.remoteReturns)?.count ?? 0 : 0
        let isRestore =
            looking.isRestoreKnown || returned + before + looking.recreated >= Self.restoreLimit
            || (returned > 0 && returned + before + missing >= Self.restoreLimit)
        return isRestore ? Restore(returned: returned, missing: missing) : nil
    }

    /// The remote looks restored: true if the user has not said yet what that is to mean.
    mutating func settleRestore() throws -> Bool {
        let answers = answers
        self.answers = []
        if let restore = try restoreQuestion(), !answers.contains(.acceptRemote) {
            guard answers.contains(.unite) else {
                try store.setValue([1], for: .remoteRestored)
                looking.isRestoreKnown = true
                halt = .restored(restore)
                return true
            }
            try forgetBase()
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
        try store.setValue(nil, for: .remoteReturns)
        try endQuestion()
    }

    /// Few files returned: they are followed, and counted for an hour.
    private mutating func passReturned() throws {
        if !looking.returned.isEmpty {
            var window = try window(.remoteReturns) ?? LossWindow(began: seconds, known: 0, firstYoung: .root)
            window.count += looking.returned.count
            try store.setValue(window.bytes, for: .remoteReturns)
        }
        try endQuestion()
    }

    private mutating func endQuestion() throws {
        if looking.isRestoreKnown { try store.setValue(nil, for: .remoteRestored) }
        looking.isRestoreKnown = false
        looking.returned = []
        looking.recreated = 0
    }
}
