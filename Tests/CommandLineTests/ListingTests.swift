import Client
import RoundelBus
import Support
import Testing

@testable import roundel

@Suite struct ListingTests {
    static func entry(_ name: String, _ kind: ListedItem.Kind = .file, _ size: UInt64? = 10) -> ListedItem {
        ListedItem(name: Array(name.utf8), kind: kind, size: kind == .file ? size : nil)
    }

    static func listing() throws -> Listing {
        let states: [ItemName: ItemBadge] = [
            try ItemName("b10.txt"): ItemBadge(badge: .syncing, flags: [], progress: 40),
            try ItemName("b9.txt"): ItemBadge(badge: .synced, flags: [.pinned, .readOnly], progress: 255),
            try ItemName("coming.bin"): ItemBadge(badge: .pending, flags: [], progress: 255),
            try ItemName("gone.bin"): .none,
        ]
        let entries = [entry("b10.txt"), entry("b9.txt", .file, 2_500), entry("zoo", .directory), entry("A", .symlink)]
        return Listing(
            directory: try ItemURI("file:///d"), entries: entries, states: states,
            labels: BadgeLabels([BadgeImage(badge: .synced, label: "In step", icon: "")]))
    }

    @Test func plainOutputIsAlignedAndNamesTheBadges() throws {
        #expect(
            try ListingTests.listing().lines(on: .plain)
                == [
                    "none               zoo/",
                    "none               A@",
                    "synced     2.5 kB  b9.txt            pinned, read-only",
                    "syncing  10 bytes  b10.txt     40 %",
                    "pending            coming.bin",
                ])
    }

    @Test func aTerminalShowsLabelsBarsAndASummary() throws {
        let terminal = Terminal(isInteractive: true, hasColour: false, hasUnicode: true, columns: 120)
        let lines = try ListingTests.listing().lines(on: terminal)
        #expect(lines.first == "/d")
        #expect(lines.contains { $0.contains("✓ In step") && $0.contains("b9.txt") })
        #expect(lines.contains { $0.contains("⟳ Syncing") && $0.contains("█") && $0.contains("40 %") })
        #expect(lines.last == "5 items · 1 syncing · 1 waiting to sync")
    }

    @Test func jsonItemsCarryTheMembersOfBadgeAndMore() throws {
        let json = try ListingTests.listing().json.text
        #expect(
            json.contains(
                #"{"uri":"file:///d/b9.txt","path":"/d/b9.txt","badge":"synced","label":"In step","progress":null,"#
                    + #""flags":["pinned","read-only"],"name":"b9.txt","kind":"file","size":2500,"contents":null,"#
                    + #""bytes_here":null,"bytes_online":null}"#))
        #expect(json.contains(#""name":"coming.bin","kind":"absent","size":null"#))
        #expect(
            json.contains(
                #""badge":"","label":"","progress":null,"flags":[],"name":"zoo","kind":"directory","size":null"#))
    }

    // MARK: On demand

    static func onDemand() throws -> Listing {
        var music = ItemContents(.partly)
        (music.bytesHere, music.bytesOnline) = (2_100_000_000, 180_000_000_000)
        var film = ItemContents(.online)
        film.bytesOnline = 4_200_000_000
        var note = ItemContents(.here)
        note.bytesHere = 10
        return Listing(
            directory: try ItemURI("file:///d"),
            entries: [entry("film", .file, 4_200_000_000), entry("note"), entry("Music", .directory)],
            states: [
                try ItemName("film"): ItemBadge(badge: .onlineOnly, flags: [.onlineOnly], progress: 255),
                try ItemName("note"): ItemBadge(badge: .synced, flags: [.pinned], progress: 255),
                try ItemName("Music"): ItemBadge(badge: .synced, flags: [], progress: 255),
            ],
            contents: [try ItemName("film"): film, try ItemName("note"): note, try ItemName("Music"): music],
            labels: BadgeLabels())
    }

    @Test("D9: a listing says what is here, and what all of it would take")
    func contentsOfAFolderOnDemand() throws {
        #expect(
            try ListingTests.onDemand().lines(on: .plain)
                == [
                    "synced         182 GB  partly  Music/",
                    "online-only    4.2 GB  online  film    online-only",
                    "synced       10 bytes  here    note    pinned",
                ])
        let terminal = Terminal(isInteractive: true, hasColour: false, hasUnicode: true, columns: 120)
        let lines = try ListingTests.onDemand().lines(on: terminal)
        #expect(lines.contains { $0.contains("182 GB  2.1 GB here  Music/") })
        #expect(lines.last == "3 items · 1 online only")
        #expect(
            try ListingTests.onDemand().json.text.contains(
                #""kind":"directory","size":null,"contents":"partly","bytes_here":2100000000,"bytes_online":180000000000}"#
            ))
    }
}
