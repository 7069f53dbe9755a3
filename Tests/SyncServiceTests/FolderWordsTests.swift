import Remotes
import RoundelBus
import SyncCore
import Testing
import WebDAV

@testable import SyncService

/// A folder is called up to date only if every part of it is known.
@Suite struct FolderWordsTests {
    private static let phases: [SessionStatus.Phase] = [
        .idle, .looking, .syncing, .paused, .offline, .stopped, .confirmDeletes(count: 3, side: .local),
    ]
    private static let counts: [StateCounts] = [
        StateCounts(), StateCounts(bytes: 7), StateCounts(pending: 1), StateCounts(conflicts: 2),
        StateCounts(errors: 1), StateCounts(pending: 1, conflicts: 2, errors: 1),
    ]
    private static let messages = [
        Explanation.nothing, Explanation(.rootMissing, .local, "/x"), Explanation(.silent, .remote, "/x"),
        Explanation(ServerCode.unreachable, .remote, "https://x/"),
        Explanation(ServerCode.login, .remote, "https://x/"),
        Explanation(ServerCode.loginRefused, .remote, "https://x/"),
    ]

    /// Whether a sentence or a state lets a person believe that all is well.
    private func claims(_ words: FolderWords) -> Bool {
        words.sentence(Explainer(folder: "x")).hasPrefix("Up to date") || words.hubState == .idle
    }

    @Test("every state that there is, watched or not, looked through or not")
    func everyState() {
        var claimed = 0
        for phase in Self.phases {
            for state in ItemSyncState.allCases {
                for counts in Self.counts {
                    for message in Self.messages {
                        let looks: [(Bool, Int64?)] = [(true, nil), (true, 5), (false, nil), (false, 5)]
                        for (number, (isWatched, lookedThrough)) in (looks + looks).enumerated() {
                            var status = SessionStatus(phase: phase, state: state, counts: counts, message: message)
                            status.isPartlyUnknown = number >= looks.count
                            let words = FolderWords(
                                status: status, isWatched: isWatched, lookedThrough: lookedThrough, minutes: 2)
                            let isLookedThrough = isWatched || lookedThrough != nil
                            let isKnown = phase == .idle && isLookedThrough && !status.isPartlyUnknown
                            if claims(words) { claimed += 1 }
                            #expect(isKnown || !claims(words), "\(words)")
                            #expect(!words.sentence(Explainer(folder: "x")).isEmpty)
                            if words.sentence(Explainer(folder: "x")).hasPrefix("Up to date") {
                                #expect(counts.pending + counts.conflicts + counts.errors == 0 && message.isEmpty)
                            }
                        }
                    }
                }
            }
        }
        #expect(claimed > 0)
    }

    @Test("D11: of a folder that only uploads nothing is said about the remote")
    func uploadOnly() {
        for (isWatched, lookedThrough) in [(true, nil), (false, 5 as Int64?)] {
            let status = SessionStatus(phase: .idle, state: .synced, counts: StateCounts())
            var words = FolderWords(status: status, isWatched: isWatched, lookedThrough: lookedThrough, minutes: 2)
            words.isUploadOnly = true
            #expect(words.sentence(Explainer(folder: "x")).hasPrefix("Everything is uploaded"))
        }
    }

    @Test("a server that cannot be reached is no error; one that wants a login needs the person")
    func absence() {
        let codes: [(ServerCode, FolderState)] = [
            (.unreachable, .paused), (.login, .attention), (.loginRefused, .attention), (.loginUnreadable, .attention),
            (.untrusted, .error), (.moved, .error), (.missing, .error),
        ]
        let expected =
            codes.map { (Explanation($0.0, .remote, "https://x/"), $0.1) } + [
                (Explanation(.busy, .remote, "https://x/"), .paused),
                (Explanation(.rootMissing, .remote, "https://x/"), .error),
            ]
        for (message, state) in expected {
            let status = SessionStatus(phase: .offline, state: .synced, counts: StateCounts(), message: message)
            let words = FolderWords(status: status, isWatched: true, lookedThrough: nil, minutes: 1)
            #expect(words.hubState == state, "\(message)")
        }
    }

    @Test func whatIsKnownIsSaid() {
        let status = SessionStatus(phase: .idle, state: .synced, counts: StateCounts(bytes: 7))
        let watched = FolderWords(status: status, isWatched: true, lookedThrough: nil, minutes: 1)
        #expect(watched.sentence(Explainer(folder: "x")) == "Up to date" && watched.hubState == .idle)
        let unwatched = FolderWords(status: status, isWatched: false, lookedThrough: 5, minutes: 2)
        #expect(unwatched.sentence(Explainer(folder: "x")).hasPrefix("Up to date as of "))
        #expect(unwatched.sentence(Explainer(folder: "x")).hasSuffix("looked through every 2 minutes"))
        let unknown = FolderWords(status: status, isWatched: false, lookedThrough: nil, minutes: 2)
        #expect(unknown.sentence(Explainer(folder: "x")) == "Looking for changes" && unknown.hubState == .syncing)
    }
}
