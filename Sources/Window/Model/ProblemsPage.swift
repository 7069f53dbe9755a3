internal import Client
package import RoundelBus
internal import Support

/// What the page of the problems shows: what waits for a decision, and every item that is not synced.
package struct ProblemsPage: Sendable, Equatable {
    /// A folder that cannot go on by itself.
    package struct Need: Sendable, Equatable {
        /// The folder.
        package let folder: ItemURI
        /// What is wrong, with the folder's name.
        package let title: String
        /// What to do about it.
        package let advice: String
        /// What the user can choose from, the safest first.
        package let answers: [NeedAnswer]
    }

    /// An item that failed or waits.
    package struct Item: Sendable, Equatable {
        /// The item.
        package let uri: ItemURI
        /// Its name.
        package let name: String
        /// The folder that it is in, and where in it.
        package let place: String
        /// Why, and what to do.
        package let reason: String
        /// The name of the emblem for its state.
        package let icon: String
        /// Its state in words.
        package let state: String

        /// Whether it can be left out of syncing.
        package let mayBeExcluded: Bool

        /// Everything that the row says, for a screen reader.
        package var spoken: String { TextList.of([name, state, reason, place]) }
    }

    /// The folders that cannot go on by themselves.
    package let needs: [Need]
    /// The conflicts.
    package let conflicts: [ConflictCard]
    /// The items.
    package let items: [Item]
    /// How many more there are, in words; nil if these are all.
    package let more: String?

    /// What there is to show.
    package enum Kind: String, Sendable {
        /// Problems.
        case list
        /// There are none.
        case empty
        /// It is not known whether there are any.
        case waiting
    }

    /// What there is to show.
    package let kind: Kind

    /// The page for what is known.
    /// - Parameters:
    ///   - knowledge: The folders.
    ///   - found: Their problems; nil if the engines were not asked yet.
    ///   - now: The current moment, in microseconds since 1970.
    package init(_ knowledge: Knowledge, _ found: FoundProblems?, now: Int64) {
        let report = knowledge.report
        let isKnown = knowledge.origin == .live && report.absence == nil && found != nil
        let found = found ?? FoundProblems()
        needs = report.folders.compactMap { Self.need($0) }
        conflicts = found.conflicts.compactMap { ConflictCard($0, in: report, now: now) }
        // A conflict has a card; its items are no further problems.
        items = found.problems.filter { $0.state != .conflict }.compactMap { Self.item($0, in: report) }
        more = found.more > 0 ? Quantity.more(found.more) : nil
        let isEmpty = needs.isEmpty && conflicts.isEmpty && items.isEmpty
        kind = isEmpty ? isKnown ? .empty : .waiting : .list
    }

    /// How many things there are to look at.
    package var count: Int { needs.count + conflicts.count + items.count }

    private static func need(_ folder: FolderSummary) -> Need? {
        guard let details = folder.details, let need = details.needs?.known else { return nil }
        switch need {
        // They are listed one by one.
        case .conflicts, .errors: return nil
        case .confirmDeletes, .rootMissing, .rootReplaced, .remoteMissing, .remoteReplaced, .remoteRestored, .login,
            .server, .diskFull:
            let headline = NeedWords.headline(need, deletions: details.pendingDeletes)
            return Need(
                folder: folder.uri, title: tr("{1}: {2}", DisplayText.escaped(folder.label), headline),
                advice: NeedWords.advice(need), answers: NeedWords.answers(need, keepsLogin: AccountRow(details) != nil)
            )
        }
    }

    private static func item(_ problem: SyncProblem, in report: StatusReport) -> Item? {
        guard let uri = try? ItemURI(problem.uri), let badge = CommonBadge(problem.state) else { return nil }
        let reason = DisplayText.escaped(problem.message)
        return Item(
            uri: uri, name: DisplayText.escaped(uri.displayName), place: Place.inFolder(uri, report),
            reason: reason.isEmpty ? badge.label : reason, icon: badge.icon, state: badge.label,
            mayBeExcluded: report.folders.contains { $0.details != nil && uri.isBelow($0.uri) })
    }
}

/// The problems that the engines told.
package struct FoundProblems: Sendable, Equatable {
    /// The conflicts.
    package var conflicts: [SyncConflict]
    /// The items that failed, are in conflict or wait.
    package var problems: [SyncProblem]
    /// How many were left out.
    package var more: UInt64

    /// Problems that were told.
    package init(conflicts: [SyncConflict] = [], problems: [SyncProblem] = [], more: UInt64 = 0) {
        (self.conflicts, self.problems, self.more) = (conflicts, problems, more)
    }
}

/// Where items are, in words.
enum Place {
    /// The name of the folder, and the directory in it that contains the item.
    static func inFolder(_ item: ItemURI, _ report: StatusReport) -> String {
        guard let folder = report.restricted(to: item)?.folders.first else {
            return DisplayText.escaped((item.parent ?? item).sentencePath)
        }
        let name = DisplayText.escaped(folder.label)
        guard let directory = item.parent, directory.isBelow(folder.uri) else { return name }
        // Translators: {1} is a synced folder, {2} a directory in it.
        return tr("{1} › {2}", name, DisplayText.escaped(directory.displayPath(below: folder.uri)))
    }
}
