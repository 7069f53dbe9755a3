import BadgeService
import RoundelBus
import Testing

@testable import Desktop

@Suite("F11: what the tray's item shows of all folders together")
struct TrayAppearanceTests {
    private func look(_ folders: [HostedFolder]) -> TrayAppearance { TrayAppearance(folders: folders) }

    @Test(
        "The worst state of any folder decides the icon; paused and unknown ones hide behind others",
        arguments: [
            ([], "none"), ([.unknown], "none"), ([.idle], "synced"), ([.syncing], "syncing"),
            ([.attention], "attention"), ([.error], "error"),
            ([.paused], "paused"), ([.idle, .syncing], "syncing"), ([.syncing, .attention], "attention"),
            ([.attention, .error, .syncing], "error"), ([.paused, .idle], "synced"),
            ([.paused, .syncing], "syncing"), ([.unknown, .paused], "paused"), ([.unknown, .idle], "synced"),
            ([.unknown, .unknown, .unknown], "none"),
        ] as [([FolderState], String)])
    func state(states: [FolderState], expected: String) throws {
        let folders = try states.enumerated().map { try folder("f\($0)", $1) }
        #expect(TrayState(folders).rawValue == expected)
        #expect(look(folders).state.iconName == "roundel-tray-\(expected)")
    }

    @Test("An item of no interest may be hidden; one that needs the person asks for attention")
    func status() throws {
        #expect(look([]).status == .passive)
        #expect(look([try folder("a", .unknown)]).status == .active)
        #expect(look([try folder("a", .syncing)]).status == .active)
        #expect(look([try folder("a", .paused)]).status == .active)
        #expect(look([try folder("a", .idle), try folder("b", .attention)]).status == .needsAttention)
        #expect(look([try folder("a", .error)]).status == .needsAttention)
    }

    @Test("The headline says whose item it is and in a sentence what is going on")
    func headline() throws {
        let syncing = try folder("Music", .syncing, progress: 40)
        let idle = try folder("Docs", .idle)
        #expect(look([]).headline == "Roundel \u{2013} No folder is synced yet")
        #expect(look([try folder("a", .unknown)]).headline == "Roundel \u{2013} No sync program is running")
        #expect(look([idle]).headline == "Roundel \u{2013} Everything is up to date")
        #expect(
            look([idle, try folder("b", .paused)]).headline == "Roundel \u{2013} Up to date; 1 folder is not syncing")
        #expect(look([syncing, idle]).headline == "Roundel \u{2013} Syncing Music, 40 %")
        #expect(look([try folder("Music", .syncing)]).headline == "Roundel \u{2013} Syncing Music")
        #expect(
            look([syncing, try folder("b", .syncing, progress: 80)]).headline
                == "Roundel \u{2013} Syncing 2 folders, 60 %")
        #expect(look([syncing, try folder("b", .syncing)]).headline == "Roundel \u{2013} Syncing 2 folders, 40 %")
        #expect(look([try folder("a", .paused)]).headline == "Roundel \u{2013} Syncing is paused")
        #expect(
            look([idle, try folder("Pics", .attention, "2 items in conflict")]).headline
                == "Roundel \u{2013} Pics: 2 items in conflict")
        #expect(look([try folder("Pics", .error)]).headline == "Roundel \u{2013} Pics: Something went wrong")
        #expect(
            look([try folder("a", .error), try folder("b", .error)]).headline
                == "Roundel \u{2013} 2 folders have errors")
    }

    @Test("The details have a line for each folder, with what its provider says and how far it has come")
    func details() throws {
        let folders = [
            try folder("Docs", .idle, "Up to date"), try folder("Music", .syncing, "Syncing 3 items", progress: 7),
        ]
        #expect(look(folders).details == "Docs: Up to date\nMusic: Syncing 3 items, 7 %")
    }

    @Test("Text of providers can neither be markup nor break lines, nor be endless")
    func foreignText() throws {
        let details = look([
            try folder("a", .error, "<b>1 & 2</b>\nx\u{2028}y", label: "R&D"),
            try folder("b", .idle, String(repeating: "long ", count: 1000)),
        ]).details
        let lines = details.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first == "R&amp;D: &lt;b&gt;1 &amp; 2&lt;/b&gt; x y")
        #expect(lines.last?.count == 123)
        #expect(lines.last?.hasSuffix("…") == true)
    }

    @Test("Many folders are counted instead of named")
    func many() throws {
        let folders = try (0..<20).map { try folder("f\($0)", .idle) }
        let lines = look(folders).details.split(separator: "\n")
        #expect(lines.count == TrayAppearance.mostLines + 1)
        #expect(lines.last == "and 12 more")
    }
}
