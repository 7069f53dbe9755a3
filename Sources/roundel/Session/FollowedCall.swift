import Client
import RoundelBus
import Support

/// Waits for the end of a long call and shows its progress on a terminal.
enum FollowedCall {
    /// - Parameters:
    ///   - patience: How long to wait for the end; nil for no limit.
    ///   - isShown: Whether to show the progress if the output is a terminal.
    ///   - lines: The lines for a progress; nil to leave those that are shown.
    static func end<Progress, Outcome>(
        of call: LongCall<Progress, Outcome>, within patience: Duration? = nil, isShown: Bool,
        _ lines: (Progress, Terminal) -> [String]?
    ) async throws -> Outcome {
        let console = Console()
        guard isShown, console.terminal.isInteractive else { return try await call.outcome(within: patience) }
        var block = LiveBlock(console)
        defer { block.draw([]) }
        for try await event in try call.events(within: patience) {
            switch event {
            case .progress(let progress):
                if let lines = lines(progress, console.terminal) { block.draw(lines) }
            case .finished(let outcome): return outcome
            }
        }
        throw ClientError.busClosed
    }
}

/// Waits for the end of a run.
enum FollowedRun {
    /// - Parameters: As for ``FollowedCall/end(of:within:isShown:_:)``.
    static func end(
        of run: LongCall<SyncFolderStatus, SyncRunResult>, within patience: Duration? = nil, isShown: Bool
    ) async throws -> SyncRunResult {
        do {
            return try await FollowedCall.end(of: run, within: patience, isShown: isShown) { status, terminal in
                FolderSummary(status)?.lines(on: terminal)
            }
        } catch ClientError.busClosed {
            throw CommandFailure(tr("The session bus closed the connection before the sync was finished."))
        }
    }
}
