import SystemPackage
import Testing

@testable import Desktop

@Suite("The pictures of the tray's icons")
struct TrayPixmapsTests {
    @Test("A file holds sizes, each with its pixels")
    func parse() throws {
        let small = [UInt8](repeating: 7, count: 4)
        let large = [UInt8](repeating: 9, count: 16)
        let pixmaps = try #require(TrayPixmaps.parse([1] + small + [2] + large))
        #expect(pixmaps.map(\.size) == [1, 2])
        #expect(pixmaps.map(\.pixels) == [small, large])
    }

    @Test(
        "A file that was cut short gives no picture at all",
        arguments: [[0], [1, 0, 0, 0], [2, 1, 2, 3, 4]] as [[UInt8]])
    func damaged(bytes: [UInt8]) {
        #expect(TrayPixmaps.parse(bytes) == nil)
    }

    @Test("A file that is not there is no error: the icon's name serves")
    func missing() {
        #expect(TrayPixmaps(folder: "/nonexistent").pixmaps("roundel-tray-synced").isEmpty)
    }
}
