package import Client
internal import RoundelBus
internal import Support

/// What the page of the folders shows.
package struct FoldersPage: Sendable, Equatable {
    /// The folders, sorted by path.
    package let rows: [FolderRow]
    /// Something about all of them, such as that the service does not answer; nil for nothing.
    package let notice: String?

    /// What there is to show.
    package enum Kind: String, Sendable {
        /// Folders.
        case list
        /// Nothing is synced yet.
        case empty
        /// Nothing is known yet.
        case waiting
        /// Nothing is known, and ``FoldersPage/notice`` says why.
        case silent
    }

    /// What there is to show.
    package let kind: Kind

    /// The page for what is known.
    package init(_ knowledge: Knowledge, now: Int64) {
        rows = knowledge.report.folders.map { FolderRow($0) }
        kind =
            switch knowledge.origin {
            case _ where !rows.isEmpty: .list
            case .live: knowledge.report.absence == nil ? .empty : .silent
            case .remembered, .nothing: .waiting
            case .lost: .silent
            }
        notice =
            switch knowledge.origin {
            case .live:
                switch knowledge.report.absence {
                case .failed(let error): Sentence.of(error)
                case .late: tr("Syncing does not answer yet.")
                case nil: nil
                }
            case .remembered(let moment): tr("As of {1}. Looking for news…", Moment.age(of: moment, now: now))
            case .nothing: tr("Asking how your folders are…")
            case .lost(let sentence): sentence
            }
    }
}

/// What the window knows of the folders, and from whom.
package struct Knowledge: Sendable, Equatable {
    /// Where it comes from.
    package enum Origin: Sendable, Equatable {
        /// Nothing was heard yet.
        case nothing
        /// What the window saw last, at this moment, in microseconds since 1970.
        case remembered(Int64)
        /// The services, which report every change.
        case live
        /// The services were lost, or never answered, for the reason in this sentence.
        case lost(String)
    }

    /// The folders.
    package var report: StatusReport
    /// Where they come from.
    package var origin: Origin

    /// Knowledge of these folders.
    package init(_ report: StatusReport, _ origin: Origin) { (self.report, self.origin) = (report, origin) }
}
