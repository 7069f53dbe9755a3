import SyncCore
import TestSupport
import Testing

@testable import SyncEngine
@testable import SyncService

@Suite("What stood at a moment")
struct RestorePlanTests {
    private func found(
        _ path: String, _ date: Int64, _ side: Side = .local, folder: Int = 0, isNote: Bool = false, stored: Int64 = 0
    ) -> RestorePlan.Found {
        let place = RelativePath(path.split(separator: "/").compactMap { EntryName(String($0)) })
        let version = KeptVersion(
            id: "\(path) \(date) \(side)\(stored == 0 ? "" : " \(stored)")", path: place, reason: .deleted,
            place: side == .local ? .store : .remote,
            date: date, stored: stored, size: 1, isDirectory: isNote)
        return RestorePlan.Found(folder: folder, place: place, item: KeptItem(side: side, version: version))
    }

    private func chosen(_ moment: Int64, _ found: [RestorePlan.Found]) -> [String] {
        RestorePlan.whatStood(at: moment, of: found).map(\.item.version.id)
    }

    @Test("is the oldest version that went then or later, whichever side keeps it")
    func oldest() {
        let kept = [
            found("a", 30), found("a", 20, .remote), found("a", 10), found("b", 9), found("c", 20),
            found("c", 20, .remote, folder: 1),
        ]
        #expect(chosen(11, kept) == ["a 20 remote", "c 20 local"])
        #expect(chosen(10, kept) == ["a 10 local", "c 20 local"])
        #expect(chosen(31, kept).isEmpty)
        #expect(chosen(.min, kept).count == 3 && chosen(.max, kept).isEmpty)
    }

    @Test("is what went first within a second")
    func withinASecond() {
        let kept = [found("a", 5, stored: 5_300), found("a", 5, stored: 5_100), found("a", 5, .remote, stored: 5_200)]
        for _ in 0..<4 { #expect(chosen(5, kept.shuffled()) == ["a 5 local 5100"]) }
    }

    @Test("comes back with directories before what is in them")
    func order() {
        let kept = [found("d/e/f", 1), found("d", 3, isNote: true), found("d/e", 2, isNote: true), found("c", 9)]
        #expect(chosen(0, kept.shuffled()) == ["c 9 local", "d 3 local", "d/e 2 local", "d/e/f 1 local"])
    }

    @Test("is a file, not the note on a directory that had its name within the same second")
    func notes() {
        let kept = [found("a", 5, isNote: true), found("a", 5, .remote), found("b", 4, isNote: true), found("b", 5)]
        for _ in 0..<4 { #expect(chosen(0, kept.shuffled()) == ["a 5 remote", "b 4 local"]) }
    }
}
