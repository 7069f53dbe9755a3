import RoundelBus
import SyncCore
import SyncEngine
import SystemPackage
import Testing

@testable import SyncService

@Suite("Copying out of folders and into them, as menus offer it and notices tell it")
struct CopyMenuTests {
    private func item(_ path: String) throws -> ItemURI { try ItemURI("file://" + path) }

    private func menu() throws -> CopyMenu {
        CopyMenu(folders: [
            .init(id: "1", label: "Cloud", uri: try item("/home/eva/Cloud")),
            .init(id: "2", label: "Inner", uri: try item("/home/eva/Cloud/inner")),
        ])
    }

    private func labels(_ items: [MenuItem]) -> [String] { items.flatMap { [$0.label] + labels($0.children) } }

    @Test("An item's id tells what it does")
    func ids() {
        var all: [CopyAction] = [.copyOut, .stop(3), .show(0)]
        for (way, directories) in CopyAction.additions {
            all += [
                .add(way, directories: directories, folder: nil), .add(way, directories: directories, folder: "a:b"),
            ]
        }
        for action in all { #expect(CopyAction(id: action.id) == action) }
        #expect(Set(all.map(\.id)).count == all.count)
        for id in ["", "copy-out:1", "stop-copy", "stop-copy:x", "sync-now", "add"] {
            #expect(CopyAction(id: id) == nil)
        }
    }

    @Test("D1: what is selected in one folder can be copied out of it; a selection of several has no such item")
    func items() throws {
        let (a, inner) = (try item("/home/eva/Cloud/a"), try item("/home/eva/Cloud/inner/b"))
        func ids(_ selection: [ItemURI]) throws -> [String] {
            try menu().items(MenuRequest(kind: .items, target: nil, selection: selection)).map(\.id)
        }
        #expect(try ids([a]) == ["copy-out"] && ids([inner, inner]) == ["copy-out"])
        #expect(try ids([a, inner]) == [] && ids([]) == [] && ids([try item("/home/eva")]) == [])
        let shown = try menu().items(MenuRequest(kind: .items, target: nil, selection: [inner]))
        #expect(labels(shown) == ["Copy Out of “Inner”…"])
    }

    @Test("D1: files and folders are added to the directory that is shown")
    func background() throws {
        let ways = ["Copy Files…", "Copy Folders…", "Move Files…", "Move Folders…"]
        for kind in [MenuKind.container, .sidebar] {
            for (path, name) in [("/home/eva/Cloud", "Cloud"), ("/home/eva/Cloud/d", "d")] {
                let shown = try menu().items(MenuRequest(kind: kind, target: try item(path), selection: []))
                #expect(labels(shown) == ["Add to “\(name)”"] + ways)
            }
            #expect(try menu().items(MenuRequest(kind: kind, target: try item("/home"), selection: [])) == [])
        }
    }

    @Test("F11: the toolbar offers it for every folder, wherever it is")
    func toolbar() throws {
        let shown = try menu().items(MenuRequest(kind: .toolbar, target: nil, selection: []))
        #expect(shown.map(\.label) == ["Add to Synced Folder"])
        #expect(shown.first?.children.map(\.label) == ["Add to “Cloud”", "Add to “Inner”"])
        #expect(shown.first?.children.last?.children.first?.id == "add-files:2")
        let below = try menu().items(
            MenuRequest(kind: .toolbar, target: try item("/home/eva/Cloud/d"), selection: []))
        #expect(below.first?.children.map(\.label) == ["Add to “d”", "Add to “Inner”"])
    }

    @Test("Items of synced folders are found below their folder, others in their directory")
    func places() throws {
        let places = CopyPlaces(folders: [try item("/home/eva/Cloud")])
        let inside = try places.original(try item("/home/eva/Cloud/d/a"))
        #expect(inside.root == "/home/eva/Cloud" && "\(inside.path)" == "d/a")
        let outside = try places.original(try item("/home/eva/Music/a"))
        #expect(outside.root == "/home/eva/Music" && "\(outside.path)" == "a")
        let folder = try places.original(try item("/home/eva/Cloud"))
        #expect(folder.root == "/home/eva" && "\(folder.path)" == "Cloud")
        let mounted = try item("/mnt")
        #expect(places.destination(mounted).root == "/mnt")
        #expect(throws: WorkerError.self) { try places.original(.root) }
        #expect(throws: WorkerError.self) { try CopyPlaces.chosen(["mtp://phone/a"]) }
    }

    @Test("A synced folder is not moved, neither alone nor with what contains it")
    func movable() throws {
        let places = CopyPlaces(folders: [try item("/home/eva/Cloud")])
        for path in ["/home/eva/Cloud", "/home/eva"] {
            #expect(throws: WorkerError.self) { try places.checkMovable([try item(path)]) }
        }
        try places.checkMovable([try item("/home/eva/Cloud/a"), try item("/home/eva/Cloud2")])
    }

    private func words(_ kind: CopyWords.Kind, _ count: Int = 1) -> CopyWords {
        CopyWords(number: 7, kind: kind, count: count, name: "a.txt", label: "Cloud", destination: "~/USB")
    }

    @Test("D15: a copy is told while it runs, with a button that stops it, and at its end, with one that shows it")
    func notices() throws {
        var numbers = CopyProgress.Numbers()
        (numbers.bytes, numbers.bytesTotal) = (1, 3)
        let running = words(.copyOut).underWay(numbers)
        #expect(running.title == "Copying “a.txt” out of “Cloud”" && running.text == "33 % is done.")
        #expect(running.actions.map(\.id) == ["stop-copy:7"] && running.urgency == .low)
        let name = try #require(EntryName("a (copy).txt"))
        let done = try #require(words(.add).ended(CopyOutcome(placed: [.init(index: 0, name: name)])))
        #expect(done.title == "“a.txt” was copied to “Cloud”" && done.id != running.id)
        #expect(done.text == "Its name was taken, so it is “a (copy).txt” in ~/USB.")
        #expect(done.actions.map(\.id) == ["show-copy:7"] && done.urgency == .low)
    }

    @Test("A failure says why, and what was done before")
    func failures() throws {
        let failed = CopyOutcome(failure: CopyFailure(.readOnly, .root))
        let one = try #require(words(.copyOut).ended(failed))
        #expect(one.title == "“a.txt” could not be copied out of “Cloud”" && one.urgency == .normal)
        #expect(one.text == "~/USB is read-only. Choose another place." && one.actions == [])
        #expect(words(.copyOut).ended(failed, because: "The remote is away.")?.text == "The remote is away.")
        let several = try #require(words(.moveIn, 3).ended(failed))
        #expect(several.text.hasSuffix("0 items were moved before that."))
        #expect(words(.copyOut).ended(CopyOutcome(failure: CopyFailure(.stopped, .root))) == nil)
        let left = try #require(words(.copyOut).ended(CopyOutcome(leftOut: (2, "d/pipe"), remaining: [])))
        #expect(left.text.contains("“d/pipe”"))
    }
}
