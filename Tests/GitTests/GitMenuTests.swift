import RoundelBus
import Testing

@testable import Git

/// What a selection can be asked to do.
@Suite struct GitMenuTests {
    private func enabled(_ items: GitMenu.Item...) -> [String] {
        (GitMenu.menu(items).first?.children ?? []).filter { $0.enabled && !$0.isSeparator }.map(\.id)
    }

    @Test(
        "Each state allows what makes sense of it",
        arguments: [
            (FileState.clean, false, []), (.ignored, false, []), (.untracked, false, ["stage"]),
            (.modified, false, ["stage", "compare", "discard"]),
            (.modified, true, ["stage", "unstage", "compare", "discard"]), (.staged, true, ["unstage", "compare"]),
            (.conflicted, false, ["stage", "compare"]),
        ] as [(FileState, Bool, [String])])
    func states(state: FileState, isStaged: Bool, actions: [String]) {
        #expect(enabled(.init(state, isStaged: isStaged)) == actions)
    }

    @Test("Several items are not compared; what git does not know has no menu; a conflict is resolved")
    func selections() {
        #expect(enabled(.init(.modified), .init(.clean)) == ["stage", "discard"])
        #expect(GitMenu.menu([.init(nil)]).isEmpty)
        #expect(GitMenu.menu([.init(.conflicted)]).first?.children.first?.label == "Mark as Resolved")
    }
}
