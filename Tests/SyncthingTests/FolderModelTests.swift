import RoundelBus
import Support
import SystemPackage
import Testing

@testable import Syncthing

/// What items of a folder show after what Syncthing told of them.
@Suite struct FolderModelTests {
    private static let root = uri("/home/p/S")
    private var model: FolderModel
    private var told: [ItemURI: Badge] = [:]

    private static func uri(_ path: String) -> ItemURI {
        (try? ItemURI(path: FilePath(path))) ?? .root
    }

    private func item(_ name: String) -> ItemURI { Self.uri("/home/p/S/" + name) }

    private static func settings(
        _ direction: FolderSettings.Direction = .both, isPaused: Bool = false, devices: [PeerID] = ["B"]
    ) -> FolderSettings {
        FolderSettings(id: "f", label: "", root: root, direction: direction, isPaused: isPaused, devices: devices)
    }

    init() {
        model = FolderModel(Self.settings())
        start()
    }

    private mutating func start() {
        model.restart(isReachable: true)
        model.beginObserving(Self.root)
        answerEverything()
    }

    private mutating func restart(_ settings: FolderSettings) {
        model = FolderModel(settings)
        start()
    }

    // MARK: Syncthing

    private var index: [ItemURI: IndexRecord] = [:]
    private var disk: [ItemURI: DiskFacts] = [:]
    private var needed: [String] = []
    private var unsent: [PeerID: [String]] = [:]
    private var ignores: [String] = []
    private var asked: [Question] = []
    private var listing: [String: IndexRecord.Version] = [:]

    private static let fact = DiskFacts.file(size: 1, modified: 7)

    private static func version(_ counter: Int) -> IndexRecord.Version {
        var version = IndexRecord.Version(size: 1, modified: 7)
        version.vector = ["A:\(counter)"]
        return version
    }

    /// An item that is the same here, on the disk and elsewhere.
    private mutating func addSynced(_ name: String, isElsewhere: Bool = false) {
        index[item(name)] = IndexRecord(local: Self.version(1), global: Self.version(1), isElsewhere: isElsewhere)
        disk[item(name)] = Self.fact
    }

    private mutating func addDirectory(_ name: String) {
        var version = Self.version(1)
        version.kind = .directory
        index[item(name)] = IndexRecord(local: version, global: version, isElsewhere: false)
        disk[item(name)] = .directory
    }

    private mutating func answer(_ question: Question) -> Answer {
        switch question {
        case .counts:
            var counts = FolderCounts()
            counts.neededItems = UInt64(needed.count)
            return .counts(counts)
        case .failures: return .failures([])
        case .needed: return .items(NeededItems(names: needed))
        case .ignores: return .ignores(ignores)
        case .completion(let device):
            return .completion(Completion(neededItems: UInt64(unsent[device]?.count ?? 0), neededBytes: 0))
        case .unsent(let device): return .items(NeededItems(names: unsent[device] ?? []))
        case .record(let item): return index[item].map { .record($0) } ?? .none
        case .listing: return .listing(listing)
        case .tree: return .tree([])
        }
    }

    /// Answers all questions until none is left.
    private mutating func answerEverything() {
        while true {
            let effects = model.takeEffects()
            for (item, row) in effects.badges { told[item] = row.badge }
            if effects.questions.isEmpty && effects.looks.isEmpty { return }
            asked += effects.questions
            let facts = effects.looks.map { ($0, disk[$0] ?? .missing) }
            if !facts.isEmpty { model.looked(Dictionary(facts) { $1 }) }
            for question in effects.questions { model.handle(answer(question), to: question) }
        }
    }

    private mutating func badge(_ name: String) -> Badge {
        model.show([item(name)])
        answerEverything()
        return model.row(of: item(name)).badge
    }

    private mutating func tell(_ fact: SyncthingEvent.Fact) {
        model.handle(fact)
        answerEverything()
    }

    // MARK: Items

    @Test("An item that another device has as it is here is synced; one that none has waits")
    mutating func synced() {
        addSynced("a")
        #expect(badge("a") == .synced)
        addSynced("b")
        unsent["B"] = ["b"]
        tell(.remoteIndex(folder: "f", device: "B"))
        #expect(badge("b") == .pending)
        #expect(badge("a") == .synced)
        unsent["B"] = []
        tell(.remoteIndex(folder: "f", device: "B"))
        #expect(told[item("b")] == .synced)
    }

    @Test("An event that says what is lacking was counted before a change: it is a reason to ask, and no answer")
    mutating func counted() throws {
        addSynced("a")
        unsent["B"] = ["a"]
        let said = [
            #"{"id":1,"type":"FolderCompletion","data":{"folder":"f","device":"B","needItems":0,"completion":100}}"#,
            #"{"id":2,"type":"FolderSummary","data":{"folder":"f","summary":{"needTotalItems":0,"state":"idle"}}}"#,
        ]
        tell(.localIndex(folder: "f", names: ["a"]))
        #expect(badge("a") == .pending)
        needed = ["a"]
        asked = []
        for event in said {
            let read = try #require(JSON(parsing: Array(event.utf8)))
            let fact = try #require(SyncthingEvent(read)?.fact)
            tell(fact)
            #expect(badge("a") == .pending)
        }
        #expect(asked.contains(.completion("B")) && asked.contains(.counts))
        #expect(model.missingItems == 1)
    }

    @Test("Of an item that nobody has looked at nothing is claimed, until it is looked at")
    mutating func notLooked() {
        addSynced("a", isElsewhere: true)
        disk[item("a")] = .notLooked
        #expect(badge("a") == .none)
        model.looked([item("a"): Self.fact])
        #expect(model.row(of: item("a")).badge == .synced)
    }

    @Test("A changed item is not synced for a moment before it is known that a device lacks it")
    mutating func uncertain() {
        addSynced("a")
        #expect(badge("a") == .synced)
        unsent["B"] = ["a"]
        model.handle(.localIndex(folder: "f", names: ["a"]))
        let effects = model.takeEffects()
        #expect(effects.questions.contains(.record(item("a"))))
        #expect(model.row(of: item("a")).badge == .pending)
        model.handle(.record(index[item("a")]!), to: .record(item("a")))
        #expect(model.row(of: item("a")).badge == .pending)
    }

    @Test("A change that is in the index before its event has come is not synced by what was known before it")
    mutating func beforeItsEvent() {
        addSynced("a")
        #expect(badge("a") == .synced)
        unsent["B"] = ["a"]
        disk[item("a")] = .file(size: 2, modified: 9)
        var version = Self.version(2)
        (version.size, version.modified) = (2, 9)
        index[item("a")] = IndexRecord(local: version, global: version, isElsewhere: false)
        model.changedOnDisk(items: [item("a")], directories: [], overflow: false)
        let effects = model.takeEffects()
        #expect(effects.questions.contains(.record(item("a"))))
        model.looked([item("a"): .file(size: 2, modified: 9)])
        model.handle(.record(index[item("a")]!), to: .record(item("a")))
        #expect(model.row(of: item("a")).badge == .pending)
        answerEverything()
        #expect(told[item("a")] == .pending && asked.contains(.completion("B")))
        unsent["B"] = []
        tell(.remoteIndex(folder: "f", device: "B"))
        #expect(told[item("a")] == .synced)
    }

    @Test("What changed on the disk and was not scanned yet waits, with the directories above it")
    mutating func unscanned() {
        addDirectory("d")
        addSynced("d/a")
        model.beginObserving(item("d"))
        #expect(badge("d") == .synced)
        #expect(badge("d/a") == .synced)
        disk[item("d/a")] = .file(size: 2, modified: 9)
        model.changedOnDisk(items: [item("d/a")], directories: [], overflow: false)
        answerEverything()
        #expect(told[item("d/a")] == .pending && told[item("d")] == .pending)
    }

    @Test("New items wait, and those that the patterns ignore are not synced")
    mutating func absent() {
        ignores = ["*.tmp"]
        restart(Self.settings())
        disk[item("new")] = Self.fact
        disk[item("x.tmp")] = Self.fact
        #expect(badge("new") == .pending)
        #expect(badge("x.tmp") == .excluded)
        #expect(badge("gone") == .none)
        #expect(badge(".stfolder") == .excluded)
    }

    @Test("What Syncthing itself ignores is not synced")
    mutating func ignored() {
        addSynced("a")
        index[item("a")]?.local.isIgnored = true
        #expect(badge("a") == .excluded)
    }

    @Test("A needed item waits, is received with its progress, and is synced in the end")
    mutating func received() {
        addSynced("d")
        index[item("d")]?.global = Self.version(2)
        needed = ["d"]
        tell(.remoteIndex(folder: "f", device: "B"))
        #expect(badge("d") == .pending)
        tell(.stateChanged(folder: "f", to: "syncing", problem: ""))
        tell(.started(folder: "f", name: "d"))
        #expect(told[item("d")] == .syncing)
        tell(.receiving(["f": ["d": TransferProgress(done: 1, total: 4)]]))
        #expect(model.row(of: item("d")) == BadgeRow(badge: .syncing, progress: 25))
        needed = []
        index[item("d")] = IndexRecord(local: Self.version(2), global: Self.version(2), isElsewhere: true)
        tell(.finished(folder: "f", name: "d", problem: nil))
        tell(.localIndex(folder: "f", names: ["d"]))
        tell(.stateChanged(folder: "f", to: "idle", problem: ""))
        #expect(told[item("d")] == .synced)
    }

    @Test("A device that receives an item is told with how much it has")
    mutating func sent() {
        addSynced("a")
        index[item("a")]?.global.blocks = 10
        unsent["B"] = ["a"]
        #expect(badge("a") == .synced)
        tell(.sending(folder: "f", device: "B", blocks: ["a": 4]))
        #expect(model.row(of: item("a")) == BadgeRow(badge: .syncing, progress: 40))
        tell(.sending(folder: "f", device: "B", blocks: [:]))
        #expect(model.row(of: item("a")).progress == Progress.none)
    }

    @Test("A conflict marks both versions and the directories above them until its copy is gone")
    mutating func conflict() {
        let copy = "d/a.sync-conflict-20260130-120000-ABCDEFG.txt"
        addDirectory("d")
        addSynced("d/a.txt")
        addSynced(copy)
        model.beginObserving(item("d"))
        #expect(badge("d/a.txt") == .synced)
        tell(.localIndex(folder: "f", names: [copy]))
        #expect(badge(copy) == .conflict && badge("d/a.txt") == .conflict && badge("d") == .conflict)
        disk[item(copy)] = .missing
        index[item(copy)]?.local.isDeleted = true
        index[item(copy)]?.global.isDeleted = true
        tell(.localIndex(folder: "f", names: [copy]))
        #expect(badge("d/a.txt") == .synced && badge("d") == .synced)
    }

    @Test("An error marks the item and the directories above it")
    mutating func failed() {
        addDirectory("d")
        addSynced("d/a")
        #expect(badge("d") == .synced)
        tell(.failed(folder: "f", [FailedItem(name: "d/a", reason: "permission denied")]))
        #expect(told[item("d")] == .error)
        #expect(badge("d/a") == .error)
    }

    @Test("A directory waits while something in it does, of which nothing was asked")
    mutating func directories() {
        addDirectory("d")
        addDirectory("e")
        needed = ["d/deep/new"]
        tell(.remoteIndex(folder: "f", device: "B"))
        #expect(badge("d") == .pending && badge("e") == .synced)
        #expect(!asked.contains(.record(item("d/deep/new"))))
    }

    // MARK: Folders

    @Test("In a paused folder everything is paused")
    mutating func paused() {
        addSynced("a")
        #expect(badge("a") == .synced)
        model.settings = Self.settings(isPaused: true)
        answerEverything()
        #expect(told[item("a")] == .paused)
        model.settings = Self.settings()
        answerEverything()
        #expect(told[item("a")] == .synced)
    }

    @Test("Without Syncthing nothing is said to be synced")
    mutating func lost() {
        addSynced("a")
        #expect(badge("a") == .synced)
        model.restart(isReachable: false)
        answerEverything()
        #expect(told[item("a")] == Badge.none)
        #expect(badge("b") == .none)
        model.restart(isReachable: true)
        answerEverything()
        #expect(told[item("a")] == .synced)
    }

    @Test("A folder that Syncthing has stopped says so, and none of its items is synced")
    mutating func stopped() {
        addSynced("a")
        #expect(badge("a") == .synced)
        tell(.stateChanged(folder: "f", to: "error", problem: "folder path missing"))
        #expect(told[item("a")] == Badge.none)
        model.show([Self.root])
        #expect(model.row(of: Self.root).badge == .error)
        let report = FolderReport(model: model, names: [:], connected: ["B"], absence: nil)
        #expect(report.status(transfers: 0).needs == WireWord(.rootMissing))
    }

    @Test("Changes that stay here, or are not accepted, are told apart from those that wait")
    mutating func directions() {
        restart(Self.settings(.receiveOnly))
        addSynced("a")
        index[item("a")]?.local.isChangedHereOnly = true
        #expect(badge("a") == .changedHereOnly)
        restart(Self.settings(.sendOnly))
        addSynced("b")
        index[item("b")]?.global = Self.version(2)
        #expect(badge("b") == .changedElsewhereOnly)
    }

    @Test("A folder that is shared with nobody claims nothing")
    mutating func alone() {
        restart(Self.settings(devices: []))
        addSynced("a")
        #expect(badge("a") == .none)
        let report = FolderReport(model: model, names: [:], connected: [], absence: nil)
        #expect(report.hubStatus.state == .unknown && report.text == "Shared with no other device")
    }

    @Test("Nothing is asked of what nobody shows")
    mutating func silence() {
        model.endObserving(Self.root)
        asked = []
        tell(.localIndex(folder: "f", names: ["a", "b/c"]))
        needed = ["x"]
        unsent["B"] = ["a"]
        tell(.remoteIndex(folder: "f", device: "B"))
        #expect(Set(asked).isSubset(of: [.counts, .completion("B")]), "\(asked)")
        #expect(model.missingItems == 1 && model.unsentItems == 1)
    }

    @Test("Of many items at once only those are asked for that are not plainly as they should be")
    mutating func many() {
        ignores = ["ignored"]
        restart(Self.settings())
        let names = (0..<300).map { "f\($0)" } + ["ignored"]
        for name in names {
            addSynced(name)
            listing[name] = Self.version(1)
        }
        index[item("ignored")]?.local.isIgnored = true
        disk[item("f7")] = .file(size: 9, modified: 9)
        listing["f8"] = nil
        index[item("f8")] = nil
        asked = []
        model.show(names.map(item))
        answerEverything()
        #expect(records == 2)
        #expect(told[item("f0")] == .synced && told[item("f7")] == .pending && told[item("f8")] == .pending)
        #expect(told[item("ignored")] == .excluded)
        #expect(names.allSatisfy { model.isReady(item($0)) })
    }

    private var records: Int { asked.count { if case .record = $0 { true } else { false } } }

    @Test("Of many items that Syncthing has not scanned, or has scanned together, none is asked for by itself")
    mutating func manyNew() {
        ignores = ["*.tmp"]
        restart(Self.settings())
        let names = (0..<300).map { "f\($0)" }
        let ignored = (0..<300).map { "i\($0).tmp" }
        for name in names + ignored { disk[item(name)] = Self.fact }
        asked = []
        model.show((names + ignored).map(item))
        answerEverything()
        #expect(names.allSatisfy { told[item($0)] == .pending } && ignored.allSatisfy { told[item($0)] == .excluded })
        for name in names {
            addSynced(name)
            listing[name] = Self.version(1)
        }
        tell(.localIndex(folder: "f", names: names))
        #expect(names.allSatisfy { told[item($0)] == .synced })
        #expect(records == 0 && asked.count { $0 == .listing(Self.root) } == 2)
    }

    @Test("In a folder of one direction, what a listing lacks may be changed here only: it is asked for")
    mutating func manyInOneDirection() {
        restart(Self.settings(.receiveOnly))
        let names = (0..<150).map { "f\($0)" }
        for name in names {
            addSynced(name)
            index[item(name)]?.local.isChangedHereOnly = true
        }
        model.show(names.map(item))
        answerEverything()
        #expect(names.allSatisfy { told[item($0)] == .changedHereOnly })
    }

    @Test("What is no longer shown is forgotten")
    mutating func forgotten() {
        addSynced("a")
        #expect(badge("a") == .synced)
        model.endObserving(Self.root)
        disk[item("a")] = .file(size: 5, modified: 5)
        model.changedOnDisk(items: [item("a")], directories: [], overflow: false)
        told = [:]
        answerEverything()
        #expect(told.isEmpty)
    }
}

@Suite struct FolderReportTests {
    private func report(
        needed: UInt64 = 0, lacking: UInt64 = 0, connected: Bool = true, absence: String? = nil
    ) throws -> FolderReport {
        let root = try ItemURI("file:///home/p/S")
        let settings = FolderSettings(
            id: "f", label: "Files", root: root, direction: .both, isPaused: false, devices: ["B"])
        var model = FolderModel(settings)
        model.restart(isReachable: true)
        _ = model.takeEffects()
        var counts = FolderCounts()
        counts.neededItems = needed
        model.handle(.counts(counts), to: .counts)
        model.handle(.completion(Completion(neededItems: lacking, neededBytes: 0)), to: .completion("B"))
        return FolderReport(
            model: model, names: ["B": "phone"], connected: connected ? ["B"] : [], absence: absence)
    }

    @Test("A folder is up to date only if neither side lacks anything")
    func upToDate() throws {
        #expect(try report().text == "Up to date" && report().hubStatus.state == .idle)
        #expect(try report(needed: 2).state == .pending && report(needed: 2).text == "2 items waiting")
        #expect(try report(lacking: 1).hubStatus.state == .syncing)
        #expect(
            try report(lacking: 1, connected: false).text == "1 item waits for another device to connect")
        #expect(try report().summary.remote == "phone")
    }

    @Test("Without Syncthing the folder is unknown, with the reason")
    func absent() throws {
        let report = try report(absence: "Syncthing is not running")
        #expect(report.state == .pending && report.hubStatus.state == .unknown)
        #expect(report.status(transfers: 1).text == "Syncthing is not running")
        #expect(FolderMenu.items(for: report, page: nil).isEmpty)
    }
}

@Suite struct ConflictNameTests {
    private func original(_ name: String) throws -> String? {
        let copy = try ItemURI("file:///d").appending(ItemName(bytes: name.utf8))
        return ConflictName.original(of: copy).map { String(decoding: $0.name?.bytes ?? [], as: UTF8.self) }
    }

    @Test("Conflict copies belong to the item whose name they carry")
    func names() throws {
        #expect(try original("a.sync-conflict-20260130-120000-ABCDEFG.txt") == "a.txt")
        #expect(try original("a.sync-conflict-20260130-120000-ABCDEFG") == "a")
        #expect(try original("a.sync-conflict-notes.txt") == nil)
        #expect(try original("a.sync-conflict-20260130-120000-ABCDEFGH.txt") == nil)
        #expect(try original("a.txt") == nil)
    }
}
