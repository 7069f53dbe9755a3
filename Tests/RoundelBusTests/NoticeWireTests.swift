import DBus
import Testing

@testable import RoundelBus

@Suite("D12: notices on the wire")
struct NoticeWireTests {
    @Test("A notice arrives as it was sent, with its actions")
    func notices() throws {
        let notice = FolderNotice(
            id: "conflicts", title: "Ä \u{1F600}", text: "Two\nlines.", count: 4_000_000_000, urgency: .critical,
            actions: [.init(id: "both:7", label: "Keep Both"), .init(id: "show", label: "Show")])
        let options: VariantMap = ["notices": .maps([notice.wire, FolderNotice(id: "a", title: "T").wire])]
        #expect(try Wire.pass(options).folderNotices() == [notice, FolderNotice(id: "a", title: "T")])
    }

    @Test("What has its default is not sent; absent and unknown keys, and an unknown urgency, are no mistake")
    func defaults() throws {
        #expect(FolderNotice(id: "a", title: "T").wire == ["id": .string("a"), "title": .string("T")])
        #expect(try VariantMap().folderNotices().isEmpty)
        let later: VariantMap = [
            "id": .string("a"), "title": .string("T"), "urgency": .byte(9), "sound": .string("bell"),
        ]
        #expect(try FolderNotice(wire: later) == FolderNotice(id: "a", title: "T"))
    }

    @Test(
        "A known key of another type is refused",
        arguments: [
            ["id": .uint32(1)], ["title": .bytes([1])], ["text": .bool(true)], ["count": .string("2")],
            ["urgency": .uint32(2)], ["actions": .strings(["a"])], ["actions": .maps([["id": .uint32(1)]])],
            ["actions": .maps([["label": .bool(true)]])],
        ] as [VariantMap])
    func wrongTypes(map: VariantMap) {
        for value in [DBusValue.maps([map]), .map(map)] {
            let options: VariantMap = ["notices": value]
            #expect(errorName { _ = try options.folderNotices() } == ColumnTests.invalidArgs)
        }
    }
}
