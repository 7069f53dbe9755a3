import SyncCore
import Testing

@Suite("The decision table")
struct VerdictTests {
    struct Row: CustomTestStringConvertible {
        let local: SideChange
        let remote: SideChange
        let hasBase: Bool
        let areEqual: Bool?
        let residence: Residence
        let wish: Wish
        let verdict: Verdict
        let because: String
        var testDescription: String { because }

        init(
            _ local: SideChange, _ remote: SideChange, base: Bool = true, equal: Bool? = nil,
            contents residence: Residence = .here, wanted wish: Wish = .alwaysHere, _ verdict: Verdict,
            _ because: String
        ) {
            self.local = local
            self.remote = remote
            hasBase = base
            areEqual = equal
            self.residence = residence
            self.wish = wish
            self.verdict = verdict
            self.because = because
        }
    }

    static let table: [Row] = [
        Row(.unchanged, .unchanged, .nothing, "nothing happened"),
        Row(.changed, .unchanged, .update(on: .remote), "edited here"),
        Row(.unchanged, .changed, .update(on: .local), "edited there"),
        Row(.changed, .changed, equal: false, .conflict, "edited differently on both sides (D7)"),
        Row(.changed, .changed, equal: true, .adopt, "edited alike on both sides"),
        Row(.changed, .changed, equal: nil, .hash(.local), "edited on both sides, perhaps alike"),
        Row(.uncertain, .unchanged, .hash(.local), "within the clock's grain here"),
        Row(.unchanged, .uncertain, .hash(.remote), "within the clock's grain there"),
        Row(.uncertain, .uncertain, .hash(.local), "within the clock's grain on both sides: one after the other"),
        Row(.uncertain, .changed, .hash(.local), "edited there, perhaps here"),
        Row(.changed, .uncertain, .hash(.remote), "edited here, perhaps there"),
        Row(.absent, .unchanged, .delete(on: .remote), "deleted here"),
        Row(.unchanged, .absent, .delete(on: .local), "deleted there"),
        Row(.absent, .changed, .survive, "deleted here, edited there: the edit survives"),
        Row(.changed, .absent, .survive, "edited here, deleted there: the edit survives"),
        Row(.absent, .uncertain, .hash(.remote), "deleted here, perhaps edited there"),
        Row(.uncertain, .absent, .hash(.local), "perhaps edited here, deleted there"),
        Row(.absent, .absent, .forget, "deleted on both sides"),
        Row(.absent, .absent, base: false, .forget, "never known"),
        Row(.changed, .absent, base: false, .create(on: .remote), "new here"),
        Row(.absent, .changed, base: false, .create(on: .local), "new there"),
        Row(.changed, .changed, base: false, equal: true, .adopt, "the same new file on both sides: union"),
        Row(.changed, .changed, base: false, equal: false, .conflict, "different new files on both sides"),
        Row(.changed, .changed, base: false, equal: nil, .hash(.local), "new files of one size on both sides"),
    ]

    static let onDemand: [Row] = [
        Row(.absent, .changed, base: false, wanted: .none, .describe, "new there, and wanted nowhere"),
        Row(.absent, .changed, base: false, wanted: .remoteAlone, .describe, "new there, and to stay there"),
        Row(.unchanged, .changed, wanted: .none, .update(on: .local), "edited there: what is here stays up to date"),
        Row(.unchanged, .unchanged, wanted: .none, .nothing, "what is here stays here"),
        Row(.unchanged, .unchanged, wanted: .remoteAlone, .free, "here, and to be there alone"),
        Row(.changed, .unchanged, wanted: .remoteAlone, .update(on: .remote), "edited here: not freed"),
        Row(.unchanged, .changed, wanted: .remoteAlone, .update(on: .local), "edited there: not freed"),
        Row(.uncertain, .unchanged, wanted: .remoteAlone, .hash(.local), "perhaps edited here: not freed"),
        Row(.unchanged, .absent, wanted: .remoteAlone, .delete(on: .local), "deleted there: not freed"),
        Row(.unchanged, .unchanged, contents: .remoteAlone, wanted: .none, .nothing, "a placeholder stays one"),
        Row(.unchanged, .unchanged, contents: .remoteAlone, .fetch, "a placeholder that is to be here"),
        Row(.unchanged, .changed, contents: .remoteAlone, wanted: .none, .describe, "edited there: no transfer"),
        Row(.unchanged, .changed, contents: .remoteAlone, .fetch, "edited there, and to be here"),
        Row(.unchanged, .absent, contents: .remoteAlone, wanted: .none, .delete(on: .local), "deleted there"),
        Row(.absent, .unchanged, wanted: .none, .delete(on: .remote), "a placeholder that was deleted here"),
        Row(
            .changed, .changed, base: false, contents: .remoteAlone, wanted: .none, .describe,
            "of which version it is a placeholder is not known any more"),
        Row(
            .changed, .absent, base: false, contents: .remoteAlone, wanted: .none, .orphan,
            "a placeholder of contents that are nowhere"),
    ]

    @Test("D7: each row decides as described", arguments: table + onDemand)
    func row(_ row: Row) {
        let verdict = Verdict.of(
            local: row.local, remote: row.remote, hasBase: row.hasBase, areEqual: row.areEqual,
            residence: row.residence, wish: row.wish)
        #expect(verdict == row.verdict)
    }

    /// Every case of the table.
    private static func forEach(_ body: (SideChange, SideChange, _ hasBase: Bool, _ areEqual: Bool?) -> Void) {
        for local in SideChange.allCases {
            for remote in SideChange.allCases {
                for hasBase in [true, false] {
                    for areEqual in [true, false, nil] { body(local, remote, hasBase, areEqual) }
                }
            }
        }
    }

    @Test("where nothing is a placeholder and nothing is wished for, what is new comes as a placeholder, and no more")
    func onDemandAlone() {
        Self.forEach { local, remote, hasBase, areEqual in
            let plain = Verdict.of(local: local, remote: remote, hasBase: hasBase, areEqual: areEqual)
            let verdict = Verdict.of(
                local: local, remote: remote, hasBase: hasBase, areEqual: areEqual, residence: .here, wish: .none)
            #expect(verdict == (plain == .create(on: .local) ? .describe : plain))
        }
    }

    @Test("a placeholder is never uploaded or in conflict, and never deleted on the remote")
    func placeholders() {
        for wish in Wish.allCases {
            Self.forEach { local, remote, hasBase, areEqual in
                let verdict = Verdict.of(
                    local: local, remote: remote, hasBase: hasBase, areEqual: areEqual, residence: .remoteAlone,
                    wish: wish)
                let wrong: [Verdict] = [
                    .update(on: .remote), .create(on: .remote), .delete(on: .remote), .conflict, .hash(.local), .adopt,
                    .survive, .free,
                ]
                #expect(!wrong.contains(verdict))
                if wish == .alwaysHere { #expect(verdict != .describe) } else { #expect(verdict != .fetch) }
            }
        }
    }

    @Test("only what both sides certainly hold is freed")
    func freeing() {
        for wish in Wish.allCases {
            Self.forEach { local, remote, hasBase, areEqual in
                let verdict = Verdict.of(
                    local: local, remote: remote, hasBase: hasBase, areEqual: areEqual, residence: .here, wish: wish)
                if verdict != .free { return }
                #expect(wish == .remoteAlone && hasBase && local == .unchanged && remote == .unchanged)
            }
        }
    }

    @Test("without a base nothing is ever deleted (promise 4)")
    func noBaseNoDeletion() {
        for local in SideChange.allCases {
            for remote in SideChange.allCases {
                for equal in [true, false, nil] {
                    let verdict = Verdict.of(local: local, remote: remote, hasBase: false, areEqual: equal)
                    #expect(verdict != .delete(on: .local) && verdict != .delete(on: .remote))
                    #expect(verdict != .update(on: .local) && verdict != .update(on: .remote))
                }
            }
        }
    }

    @Test("a version is deleted or replaced only if it is the synced one (promise 2)")
    func onlySyncedVersionsGo() {
        for local in SideChange.allCases {
            for remote in SideChange.allCases {
                for equal in [true, false, nil] {
                    switch Verdict.of(local: local, remote: remote, hasBase: true, areEqual: equal) {
                    case .delete(on: .local), .update(on: .local): #expect(local == .unchanged)
                    case .delete(on: .remote), .update(on: .remote): #expect(remote == .unchanged)
                    case .nothing, .adopt, .forget, .create, .survive, .conflict, .hash, .fetch, .free, .describe,
                        .orphan:
                        break
                    }
                }
            }
        }
    }
}
