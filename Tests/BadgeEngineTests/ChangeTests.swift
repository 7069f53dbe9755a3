import RoundelBus
import Testing

@testable import BadgeEngine

@Suite("Changes on their way to providers")
struct ChangeTests {
    @Test("ItemsChanged is one at a time and merges; Flush waits until what came before is accepted")
    func changes() {
        var bench = Bench(registered: false)
        bench.register("cloud", "p1", [Bench.folder], watch: true)
        let item = { (name: String) in FolderChanges(folder: Bench.folder, items: [Bench.uri("/home/Cloud/\(name)")]) }
        let first = bench.send(.itemsChanged(item("a")))
        #expect(first.questions.map(\.request) == [.itemsChanged(item("a"))])
        #expect(bench.send(.itemsChanged(item("b"))).isEmpty)
        #expect(bench.send(.itemsChanged(item("c"))).isEmpty)
        let flush = bench.registry(.flush(Bench.folder))
        guard case .flushWatcher(let token, Bench.folder)? = flush.first else {
            Issue.record("the watcher was not asked")
            return
        }
        #expect(bench.send(.flushed(token)).isEmpty)
        let second = bench.answer(first, .done)
        var merged = item("b")
        merged.items += item("c").items
        #expect(second.replies.isEmpty && second.questions.map(\.request) == [.itemsChanged(merged)])
        #expect(bench.answer(second, .done) == [.reply(token, .done)])
        #expect(bench.registry(.flush(Bench.uri("/x"))).errors == [.notYourFolder])
    }

    @Test("More than 128 items become their directory, more than 1,000 directories the folder")
    func manyChanges() {
        var forwarder = ChangeForwarder()
        let items = (0..<129).map { Bench.uri("/home/Cloud/d/\($0)") }
        forwarder.add(FolderChanges(folder: Bench.folder, items: items))
        #expect(
            forwarder.next(RequestToken(1))
                == FolderChanges(folder: Bench.folder, directories: [Bench.uri("/home/Cloud/d")]))
        let directories = (0..<1001).map { Bench.uri("/home/Cloud/\($0)") }
        forwarder.add(FolderChanges(folder: Bench.folder, directories: directories))
        _ = forwarder.answer(RequestToken(1), isAccepted: true)
        #expect(forwarder.next(RequestToken(2)) == FolderChanges(folder: Bench.folder, overflow: true))
    }

    @Test("Changes in more directories than one message holds items become the folder")
    func changesOfManyDirectories() {
        var forwarder = ChangeForwarder()
        for directory in 0..<1001 {
            let items = (0..<100).map { Bench.uri("/home/Cloud/\(directory)/\($0)") }
            forwarder.add(FolderChanges(folder: Bench.folder, items: items))
        }
        #expect(forwarder.next(RequestToken(1)) == FolderChanges(folder: Bench.folder, overflow: true))
    }

    static let whole = ProviderRequest.itemsChanged(FolderChanges(folder: Bench.folder, overflow: true))
    static let refusal = ProviderAnswer.failed(name: "org.example.Busy", message: "Later.")

    static func change(_ name: String) -> Event {
        .itemsChanged(FolderChanges(folder: Bench.folder, items: [Bench.uri("/home/Cloud/\(name)")]))
    }

    static func watched() -> Bench {
        var bench = Bench(registered: false)
        bench.register("cloud", "p1", [Bench.folder, Bench.uri("/home/Second")], watch: true)
        return bench
    }

    @Test("Refused changes are not sent again by themselves; the next change in that folder becomes the whole folder")
    func refusedChanges() {
        for answer in [Self.refusal, .malformed] {
            var bench = Self.watched()
            let refused = bench.answer(bench.send(Self.change("a")), answer)
            #expect(refused.questions.isEmpty)
            let second = Bench.uri("/home/Second")
            let elsewhere = FolderChanges(folder: second, items: [Bench.uri("/home/Second/x")])
            let other = bench.send(.itemsChanged(elsewhere))
            #expect(other.questions.map(\.request) == [.itemsChanged(elsewhere)])
            #expect(bench.answer(other, .done).questions.isEmpty)
            let next = bench.send(Self.change("b"))
            #expect(next.questions.map(\.request) == [Self.whole])
            #expect(bench.answer(next, Self.refusal).questions.isEmpty)
            let again = bench.send(Self.change("c"))
            #expect(again.questions.map(\.request) == [Self.whole])
            #expect(bench.answer(again, .done).questions.isEmpty)
            let item = FolderChanges(folder: Bench.folder, items: [Bench.uri("/home/Cloud/d")])
            #expect(bench.send(Self.change("d")).questions.map(\.request) == [.itemsChanged(item)])
        }
    }

    @Test("A change that waited while another was refused is handed over as the whole folder")
    func refusedWhileOthersWait() {
        var bench = Self.watched()
        let first = bench.send(Self.change("a"))
        _ = bench.send(Self.change("b"))
        #expect(bench.answer(first, Self.refusal).questions.map(\.request) == [Self.whole])
    }

    @Test("A refusal is shown to the person once")
    func refusalIsShown() {
        var bench = Self.watched()
        let refused = bench.answer(bench.send(Self.change("a")), Self.refusal)
        #expect(refused.contains(.warn("The provider cloud failed to answer: Later.")))
        #expect(!bench.answer(bench.send(Self.change("b")), Self.refusal).contains(.providersChanged))
    }

    @Test("Flush hands the folder over again after a refusal; it fails if that is refused as well")
    func flushAfterRefusal() {
        for isAccepted in [true, false] {
            var bench = Self.watched()
            _ = bench.answer(bench.send(Self.change("a")), Self.refusal)
            guard case .flushWatcher(let token, _)? = bench.registry(.flush(Bench.folder)).first else {
                Issue.record("the watcher was not asked")
                return
            }
            let sent = bench.send(.flushed(token))
            #expect(sent.replies.isEmpty && sent.questions.map(\.request) == [Self.whole])
            let end = bench.answer(sent, isAccepted ? .done : Self.refusal)
            #expect(end.replies == (isAccepted ? [.done] : []))
            #expect(end.errors == (isAccepted ? [] : [.providerFailed]))
            #expect(end.questions.isEmpty)
        }
    }

    @Test("Flush fails when what it waits for is refused, even if more changes wait by then")
    func flushOfRefusedChanges() {
        var bench = Self.watched()
        let first = bench.send(Self.change("a"))
        guard case .flushWatcher(let token, _)? = bench.registry(.flush(Bench.folder)).first else {
            Issue.record("the watcher was not asked")
            return
        }
        _ = bench.send(.flushed(token))
        _ = bench.send(Self.change("b"))
        let refused = bench.answer(first, Self.refusal)
        #expect(refused.errors == [.providerFailed])
        #expect(refused.questions.map(\.request) == [Self.whole])
    }

    @Test("Flush of one folder does not wait for the refused changes of another")
    func flushOfAnotherFolder() {
        var bench = Self.watched()
        _ = bench.answer(bench.send(Self.change("a")), Self.refusal)
        guard case .flushWatcher(let token, _)? = bench.registry(.flush(Bench.uri("/home/Second"))).first else {
            Issue.record("the watcher was not asked")
            return
        }
        #expect(bench.send(.flushed(token)) == [.reply(token, .done)])
    }

    @Test("Flush of one folder waits for its changes behind several of another one")
    func flushBehindAnotherFolder() {
        var bench = Self.watched()
        let second = Bench.uri("/home/Second")
        let first = bench.send(Self.change("a"))
        _ = bench.send(Self.change("b"))
        _ = bench.send(.itemsChanged(FolderChanges(folder: second, items: [Bench.uri("/home/Second/c")])))
        guard case .flushWatcher(let token, _)? = bench.registry(.flush(second)).first else {
            Issue.record("the watcher was not asked")
            return
        }
        #expect(bench.send(.flushed(token)).replies.isEmpty)
        let next = bench.answer(first, .done)
        #expect(next.replies.isEmpty)
        let last = bench.answer(next, .done)
        #expect(last.replies.isEmpty && last.questions.count == 1)
        #expect(bench.answer(last, .done) == [.reply(token, .done)])
    }

    @Test("F12: a provider that is switched on again hears that anything may have changed; its flushes do not hang")
    func switchedOffAndOn() {
        var bench = Self.watched()
        let first = bench.send(Self.change("a"))
        _ = bench.send(Self.change("b"))
        guard case .flushWatcher(let token, _)? = bench.registry(.flush(Bench.folder)).first else {
            Issue.record("the watcher was not asked")
            return
        }
        _ = bench.send(.flushed(token))
        #expect(bench.settings(.disable("cloud")).errors == [.providerFailed])
        #expect(bench.send(Self.change("c")).questions.isEmpty)
        #expect(bench.answer(first, .done).questions.isEmpty)
        let on = bench.settings(.enable("cloud"))
        // Nothing is reported before the folders are watched again, or what follows a scan could be missed.
        #expect(on.questions.isEmpty)
        let second = Bench.uri("/home/Second")
        let reports = on.filter { if case .reportWhenWatched = $0 { true } else { false } }
        #expect(reports == [.reportWhenWatched(Bench.folder), .reportWhenWatched(second)])
        let forwarded = bench.send(.itemsChanged(FolderChanges(folder: Bench.folder, overflow: true)))
        #expect(forwarded.questions.map(\.request) == [Self.whole])
    }

    @Test("A provider that is gone forgets what it refused")
    func refusalEndsWithTheProvider() {
        var bench = Self.watched()
        _ = bench.answer(bench.send(Self.change("a")), Self.refusal)
        _ = bench.send(.peerLeft("p1"))
        bench.register("cloud", "p2", [Bench.folder], watch: true)
        let item = FolderChanges(folder: Bench.folder, items: [Bench.uri("/home/Cloud/b")])
        #expect(bench.send(Self.change("b")).questions.map(\.request) == [.itemsChanged(item)])
    }

    @Test("F7: after lost events an observed directory forgets what is not there and keeps what is")
    func itemsPresent() {
        var bench = Bench()
        _ = bench.host(.beginObserving(Bench.folder))
        let names = Bench.names("a", "b", "c")
        let badges = Bench.answer("synced", "pending", "error")
        _ = bench.answer(bench.host(.requestBadges(Bench.folder, names)), badges)
        let present = Event.itemsPresent(directory: Bench.folder, names: Bench.names("b", "new"))
        #expect(bench.send(present).signals == ["h1 /home/Cloud a= c="])
        #expect(bench.host(.requestBadges(Bench.folder, Bench.names("b"))).badges == [["pending"]])
        #expect(bench.host(.requestBadges(Bench.folder, Bench.names("a"))).questions.count == 1)
        #expect(bench.send(.itemsPresent(directory: Bench.uri("/elsewhere"), names: [])).isEmpty)
    }

    @Test("F7: what the provider reports after lost events is news again, also of an item that is back")
    func itemsPresentThenBack() {
        var bench = Bench()
        _ = bench.host(.beginObserving(Bench.folder))
        let listing = bench.host(.requestDirectory(Bench.folder, after: nil, limit: 0))
        _ = bench.answer(listing, .directory(Bench.columns([("a", "synced")]), next: nil))
        #expect(bench.send(.itemsPresent(directory: Bench.folder, names: [])).signals == ["h1 /home/Cloud a="])
        _ = bench.collect(milliseconds: 50)
        #expect(bench.update("/home/Cloud", [("a", "synced")]).signals == ["h1 /home/Cloud a=synced"])
    }
}
