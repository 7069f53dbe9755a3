import Testing

@testable import FileWatch

@Suite("What becomes of a folder's root")
struct RootTransitionTests {
    private static let folder = FolderID(rawValue: 1)

    @Test(
        "each change of a root is reported once and has its scan",
        arguments: [
            (.pending, .attached(1), false, nil, .scan),
            (.missing, .attached(1), false, .rootAppeared(folder), .scanAsChanged),
            (.blocked(.file), .attached(1), false, .rootAppeared(folder), .scanAsChanged),
            (.attached(1), .attached(1), true, nil, .none),
            (.attached(1), .attached(2), false, .rootReplaced(folder, by: .directory), .scanAsChanged),
            (.dropped, .attached(2), true, nil, .scanAsChanged),
            (.dropped, .attached(2), false, .rootReplaced(folder, by: .directory), .scanAsChanged),
            (.unwatchable, .attached(1), false, .rootReplaced(folder, by: .directory), .scanAsChanged),
            (.pending, .missing, true, .rootLost(folder), .lose),
            (.attached(1), .missing, true, .rootLost(folder), .lose),
            (.dropped, .missing, true, .rootLost(folder), .lose),
            (.missing, .missing, true, nil, .none),
            (.blocked(.file), .missing, true, nil, .none),
            (.attached(1), .blocked(.file), true, .rootReplaced(folder, by: .file), .lose),
            (.blocked(.file), .blocked(.file), true, nil, .lose),
            (.blocked(.file), .blocked(.symbolicLink), true, .rootReplaced(folder, by: .symbolicLink), .lose),
            (.attached(1), .unwatchable, true, .rootReplaced(folder, by: .directory), .lose),
            (.dropped, .unwatchable, true, .rootReplaced(folder, by: .directory), .lose),
            (.pending, .unwatchable, true, nil, .none),
            (.unwatchable, .unwatchable, true, nil, .none),
            (.attached(1), .dropped, true, nil, .none),
        ] as [(Anchor.State, Anchor.State, Bool, WatchEvent?, RootTransition.Step)])
    func transitions(
        before: Anchor.State, after: Anchor.State, isSame: Bool, event: WatchEvent?, step: RootTransition.Step
    ) {
        let transition = RootTransition(of: Self.folder, from: before, to: after, isSame: isSame)
        #expect(transition.event == event && transition.step == step)
    }
}
