import SyncCore
import Testing

@Suite("The decision table")
struct VerdictTests {
    struct Row: CustomTestStringConvertible {
        let local: SideChange
        let remote: SideChange
        let hasBase: Bool
        let areEqual: Bool?
        let verdict: Verdict
        let because: String
        var testDescription: String { because }

        init(
            _ local: SideChange, _ remote: SideChange, base: Bool = true, equal: Bool? = nil, _ verdict: Verdict,
            _ because: String
        ) {
            self.local = local
            self.remote = remote
            hasBase = base
            areEqual = equal
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

    @Test("D7: each row decides as described", arguments: table)
    func row(_ row: Row) {
        let verdict = Verdict.of(
            local: row.local, remote: row.remote, hasBase: row.hasBase, areEqual: row.areEqual)
        #expect(verdict == row.verdict)
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
                    case .nothing, .adopt, .forget, .create, .survive, .conflict, .hash: break
                    }
                }
            }
        }
    }
}
