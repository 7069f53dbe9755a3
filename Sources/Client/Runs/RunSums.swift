package import RoundelBus

extension SyncRunResult {
    /// What several engines did together.
    package init(sumOf results: [SyncRunResult]) {
        self = results.first ?? SyncRunResult()
        for result in results.dropFirst() {
            uploaded += result.uploaded
            downloaded += result.downloaded
            moved += result.moved
            permissions += result.permissions
            deletedLocal += result.deletedLocal
            deletedRemote += result.deletedRemote
            conflicts += result.conflicts
            errors += result.errors
            needs = needs ?? result.needs
            waiting += result.waiting
            steps = steps.map { $0 + (result.steps ?? []) } ?? result.steps
        }
        let states = results.map { FolderSummary.State.badge($0.state) }
        if case .badge(let worst) = FolderSummary.State.worst(of: states) { state = worst }
    }

    /// Whether something is left for the user: conflicts, errors, and whatever still waits when a run has ended, such as
    /// a file that a program keeps open.
    package var needsUser: Bool {
        !waiting.isEmpty || conflicts > 0 || errors > 0 || needs != nil || state == .conflict || state == .error
            || state == .pending
    }
}

extension SyncVerification {
    /// What several engines found together.
    init(sumOf results: [SyncVerification]) {
        self = results.first ?? SyncVerification()
        for result in results.dropFirst() {
            files += result.files
            bytes += result.bytes
            differences += result.differences
            waiting += result.waiting
            items += result.items
        }
    }
}

extension SyncRestoration {
    /// What several engines restored together.
    init(sumOf results: [SyncRestoration]) {
        self = results.first ?? SyncRestoration()
        for result in results.dropFirst() {
            restored += result.restored
            beside += result.beside
            failed += result.failed
            items += result.items
            unlisted += result.unlisted
        }
    }
}
