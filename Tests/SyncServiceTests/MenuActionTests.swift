import SyncCore
import Testing

@testable import SyncService

@Suite("What the items of menus mean")
struct MenuActionTests {
    @Test("An item's id tells its action, its folders and the deletions that it names")
    func ids() throws {
        let deletions: [AskedDeletions?] = [
            nil, AskedDeletions(60, on: .local), AskedDeletions(Int.max, on: .remote), AskedDeletions(0, on: .local),
        ]
        for scope in [MenuAction.Scope.concerned, .folder("f1"), .folder("a.b-c:d"), .all] {
            for asked in deletions {
                let choice = try #require(MenuAction.parse(MenuAction.confirmDeletes.id(scope, of: asked)))
                #expect(choice.action == .confirmDeletes && choice.scope == scope && choice.deletions == asked)
            }
        }
        for text in ["confirm-deletes.", "confirm-deletes.60", "confirm-deletes.x-local", "confirm-deletes.1-there"] {
            let choice = try #require(MenuAction.parse(text))
            #expect(choice.action == .confirmDeletes && choice.deletions == nil, "\(text)")
        }
        for text in ["", ":", ".", "delete", "folder:f1"] { #expect(MenuAction.parse(text) == nil, "\(text)") }
    }

    @Test("An answer is for as many deletions as the question named, and for no other side")
    func covers() {
        let asked = AskedDeletions(60, on: .remote)
        #expect(asked.covers(asked) && asked.covers(AskedDeletions(59, on: .remote)))
        #expect(!asked.covers(AskedDeletions(61, on: .remote)) && !asked.covers(AskedDeletions(1, on: .local)))
    }
}
