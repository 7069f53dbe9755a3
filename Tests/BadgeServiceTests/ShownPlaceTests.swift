import RoundelBus
import Testing

@testable import BadgeService

@Suite struct ShownPlaceTests {
    @Test(arguments: [
        ("/home/ann", "/home/ann", "~"), ("/home/ann/a%20b", "/home/ann/", "~/a b"),
        ("/home/annex/x", "/home/ann", "/home/annex/x"),
        ("/srv/x", "/home/ann", "/srv/x"), ("/srv/x", "/", "/srv/x"), ("/srv/x", "", "/srv/x"),
        ("/home/ann/%C3%A4", "/home//ann", "~/ä"),
    ])
    func theHomeDirectoryIsShort(path: String, home: String, shown: String) throws {
        #expect(try ItemURI("file://" + path).shownPlace(home: home) == shown)
    }

    @Test func withoutAHomeItIsThePath() throws {
        #expect(try ItemURI("file:///a/b").shownPlace(home: nil) == "/a/b")
    }
}
