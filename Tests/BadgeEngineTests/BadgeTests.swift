import RoundelBus
import Support
import Testing

@testable import BadgeEngine

@Suite("Badges")
struct BadgeTests {
    static let ask = HostRequest.requestBadges(Bench.folder, Bench.names("a", "b"))

    static func observing(_ callers: String...) -> Bench {
        var bench = Bench()
        for caller in callers {
            _ = bench.host(.beginObserving(Bench.folder), by: caller)
        }
        return bench
    }

    @Test("F6: badges need observing; each name is asked of the provider once and then answered from memory")
    func once() {
        var bench = Bench()
        #expect(bench.host(Self.ask).errors == [.notObserving])
        bench = Self.observing("h1", "h2")
        let asked = bench.host(Self.ask)
        #expect(asked.questions.map(\.request) == [.requestBadges(Bench.folder, Bench.names("a", "b"))])
        #expect(bench.host(Self.ask, by: "h2").questions.isEmpty)
        #expect(bench.answer(asked, Bench.answer("synced", "")).badges == [["synced", ""], ["synced", ""]])
        let again = bench.host(Self.ask)
        #expect(again.questions.isEmpty)
        #expect(again.badges == [["synced", ""]])
    }

    @Test("A slow provider holds the reply 50 ms from the call's arrival; then it is \"\" and a signal follows")
    func late() {
        var bench = Self.observing("h1")
        let asked = bench.host(Self.ask)
        #expect(asked.contains(.setTimer(bench.now + Limits.patience)))
        #expect(bench.advance(milliseconds: 49).badges.isEmpty)
        #expect(bench.advance(milliseconds: 1).badges == [["", ""]])
        #expect(bench.answer(asked, Bench.answer("synced", "")).signals == ["h1 /home/Cloud a=synced"])
    }

    @Test("Several held calls do not add up")
    func severalHeld() {
        var bench = Self.observing("h1")
        _ = bench.host(Self.ask)
        _ = bench.advance(milliseconds: 20)
        _ = bench.host(.requestBadges(Bench.folder, Bench.names("c")))
        #expect(bench.advance(milliseconds: 30).badges == [["", ""]])
        #expect(bench.advance(milliseconds: 20).badges == [[""]])
    }

    @Test("An update while the answer is outstanding outdates that answer for its names")
    func outdated() {
        var bench = Self.observing("h1")
        let asked = bench.host(Self.ask)
        #expect(bench.update("/home/Cloud", [("a", "error")]).replies == [.observed(true)])
        #expect(bench.answer(asked, Bench.answer("synced", "synced")).badges == [["error", "synced"]])
    }

    @Test("F7: updates for names neither given nor outstanding are discarded")
    func notVisible() {
        var bench = Self.observing("h1")
        #expect(bench.update("/home/Cloud", [("z", "error")]).signals.isEmpty)
        #expect(bench.host(.requestBadges(Bench.folder, Bench.names("z"))).questions.count == 1)
        #expect(bench.update("/home/Cloud/else", [("z", "error")]).replies == [.observed(false)])
    }

    @Test("A signal goes only if a value changed, to those who were given the name, with the last value")
    func onlyChanges() {
        var bench = Self.observing("h1", "h2")
        _ = bench.answer(bench.host(Self.ask), Bench.answer("synced", "synced"))
        #expect(bench.update("/home/Cloud", [("a", "synced")]).signals.isEmpty)
        #expect(bench.update("/home/Cloud", [("a", "error")]).signals == ["h1 /home/Cloud a=error"])
        #expect(bench.update("/home/Cloud", [("b", "")]).signals.isEmpty)
        #expect(bench.update("/home/Cloud", [("b", "synced")]).signals.isEmpty)
        #expect(bench.collect(milliseconds: 50).signals.isEmpty)
    }

    @Test("The first change goes at once, further ones within 50 ms together; directories are independent")
    func coalescing() {
        var bench = Self.observing("h1")
        _ = bench.answer(bench.host(Self.ask), Bench.answer("", ""))
        let other = Bench.uri("/home/Cloud/d")
        _ = bench.host(.beginObserving(other))
        _ = bench.answer(bench.host(.requestBadges(other, Bench.names("x"))), Bench.answer(""))
        #expect(bench.update("/home/Cloud", [("a", "pending")]).signals == ["h1 /home/Cloud a=pending"])
        #expect(bench.update("/home/Cloud", [("a", "syncing")]).signals.isEmpty)
        #expect(bench.update("/home/Cloud", [("b", "syncing")]).signals.isEmpty)
        #expect(bench.update("/home/Cloud", [("a", "synced")]).signals.isEmpty)
        #expect(bench.update("/home/Cloud/d", [("x", "error")]).signals == ["h1 /home/Cloud/d x=error"])
        #expect(bench.collect(milliseconds: 49).signals.isEmpty)
        #expect(bench.collect(milliseconds: 1).signals == ["h1 /home/Cloud a=synced b=syncing"])
        #expect(bench.collect(milliseconds: 200).isEmpty)
        #expect(bench.update("/home/Cloud", [("a", "")]).signals == ["h1 /home/Cloud a="])
    }

    @Test("A request held when its directory ends is answered NotObserving")
    func heldAtTheEnd() {
        var bench = Self.observing("h1")
        _ = bench.host(Self.ask)
        let ended = bench.host(.endObserving(Bench.folder))
        #expect(ended.errors == [.notObserving] && ended.replies == [.done])
        _ = bench.host(.beginObserving(Bench.folder))
        _ = bench.host(Self.ask)
        #expect(bench.host(.endObserving(Bench.folder)).errors == [.notObserving])
    }

    @Test("A request held when its directory vanishes is answered: nothing is there", arguments: [false, true])
    func heldWhileItVanishes(whole: Bool) {
        var bench = Self.observing("h1")
        _ = bench.host(whole ? .requestDirectory(Bench.folder, after: nil, limit: 0) : Self.ask)
        let vanished = bench.send(.directoryVanished(Bench.folder))
        #expect(vanished.errors.isEmpty)
        #expect(whole ? vanished.listings == [[]] : vanished.badges == [["", ""]])
    }

    @Test("An answer of the wrong type or length counts as \"\" for the whole call and is not asked again")
    func wrongAnswers() {
        for wrong in [
            ProviderAnswer.malformed, Bench.answer("synced"), .failed(name: "x.Error", message: "no"), .done,
            .badges(BadgeColumns(badges: [.synced, .synced], flags: [0], progress: [0, 0])),
        ] {
            var bench = Self.observing("h1")
            #expect(bench.answer(bench.host(Self.ask), wrong).badges == [["", ""]])
            let again = bench.host(Self.ask)
            #expect(again.questions.isEmpty && again.badges == [["", ""]])
            #expect(bench.update("/home/Cloud", [("a", "error")]).signals == ["h1 /home/Cloud a=error"])
        }
    }

    @Test("A badge that is not the provider's to give counts as none in an answer")
    func foreignBadge() {
        var bench = Self.observing("h1")
        #expect(
            bench.answer(bench.host(Self.ask), Bench.answer("other.X", "cloud.X")).badges == [["", "cloud.X"]])
    }

    @Test("At most 100,000 names in a call")
    func tooMany() {
        var bench = Self.observing("h1")
        let names = Array(repeating: Bench.names("a")[0], count: 100_001)
        #expect(bench.host(.requestBadges(Bench.folder, names)).errors == [.limitExceeded])
        #expect(bench.host(.requestBadges(Bench.folder, Array(names.dropLast()))).questions.count == 1)
    }

    @Test("F7: an item that the watcher sees vanish is reported as \"\", and again when it is back")
    func vanished() {
        var bench = Self.observing("h1", "h2")
        _ = bench.answer(bench.host(Self.ask), Bench.answer("synced", "synced"))
        let vanished = Event.itemsVanished(directory: Bench.folder, names: Bench.names("a", "unknown"))
        for round in 1...3 {
            #expect(bench.send(vanished).signals == (round == 1 ? ["h1 /home/Cloud a="] : []))
            _ = bench.collect(milliseconds: 50)
            #expect(bench.update("/home/Cloud", [("a", "error")]).signals == ["h1 /home/Cloud a=error"])
            _ = bench.collect(milliseconds: 50)
            #expect(bench.send(vanished).signals == ["h1 /home/Cloud a="])
            _ = bench.collect(milliseconds: 50)
        }
        #expect(bench.update("/home/Cloud", [("unknown", "error")]).signals.isEmpty)
        #expect(bench.host(.requestBadges(Bench.folder, Bench.names("a"))).questions.count == 1)
    }

    @Test("F7: a name that was not there when it was asked for is reported when it comes, whenever it is found missing")
    func notThereYet() {
        let missing = Event.itemsVanished(directory: Bench.folder, names: Bench.names("a", "b"))
        for isFoundFirst in [true, false] {
            var bench = Self.observing("h1")
            let asked = bench.host(Self.ask)
            if isFoundFirst { _ = bench.send(missing) }
            _ = bench.answer(asked, Bench.answer("", ""))
            if !isFoundFirst { _ = bench.send(missing) }
            #expect(bench.update("/home/Cloud", [("b", "pending")]).signals == ["h1 /home/Cloud b=pending"])
        }
    }

    @Test("A name that is gone is asked for again when its provider comes back, which may know it by then")
    func backWithItsProvider() {
        var bench = Self.observing("h1")
        _ = bench.answer(bench.host(Self.ask), Bench.answer("synced", "synced"))
        _ = bench.send(.itemsVanished(directory: Bench.folder, names: Bench.names("a")))
        _ = bench.send(.peerLeft("p1"))
        _ = bench.collect(milliseconds: 100)
        let back = bench.register("cloud", "p9", [Bench.folder])
        #expect(back.questions.map(\.request) == [.requestBadges(Bench.folder, Bench.names("a", "b"))])
        _ = bench.answer(back, Bench.answer("error", "error"))
        #expect(bench.collect(milliseconds: 100).signals == ["h1 /home/Cloud a=error b=error"])
    }

    /// So many names, from a number on.
    private static func numbered(_ range: Range<Int>) -> [ItemName] { range.compactMap { try? ItemName("n\($0)") } }

    @Test("A caller with more than 100,000 names that are gone has to begin again; another one does not")
    func manyGone() {
        var bench = Self.observing("h1", "h2")
        let other = Bench.uri("/home/Cloud/d")
        _ = bench.host(.beginObserving(other))
        _ = bench.host(.requestBadges(Bench.folder, Bench.names("n1")), by: "h2")
        for (directory, range) in [(Bench.folder, 0..<60_000), (other, 0..<40_001)] {
            let names = Self.numbered(range)
            let asked = bench.host(.requestBadges(directory, names))
            #expect(asked.errors.isEmpty && bench.advance(milliseconds: 50).badges.last?.count == names.count)
            let actions = bench.send(.itemsVanished(directory: directory, names: names))
            #expect(actions.resets == (directory == other ? ["h1"] : []))
        }
        #expect(bench.engine.observedDirectoryCount == 1)
        #expect(bench.update("/home/Cloud", [("n1", "error")]).signals == ["h2 /home/Cloud n1=error"])
        #expect(bench.host(.beginObserving(Bench.folder)).replies == [.monitored(true)])
    }

    @Test("A caller may know 1,000,000 names at once; names that it knows, and other callers, are not refused")
    func manyGiven() {
        var bench = Self.observing("h1", "h2")
        for part in 0..<10 {
            let names = Self.numbered(part * 100_000..<(part + 1) * 100_000)
            #expect(bench.host(.requestBadges(Bench.folder, names)).errors.isEmpty)
            _ = bench.advance(milliseconds: 50)
        }
        let one = HostRequest.requestBadges(Bench.folder, Self.numbered(2_000_000..<2_000_001))
        #expect(bench.host(one).errors == [.limitExceeded])
        #expect(bench.host(.requestBadges(Bench.folder, Self.numbered(5..<7))).errors.isEmpty)
        #expect(bench.host(one, by: "h2").errors.isEmpty)
        _ = bench.host(.endObserving(Bench.folder))
        _ = bench.host(.beginObserving(Bench.folder))
        #expect(bench.host(one).errors.isEmpty)
    }

    @Test("RequestDirectory pages by decoded bytes and subscribes to the whole directory")
    func wholeDirectory() {
        var bench = Self.observing("h1")
        let all = HostRequest.requestDirectory(Bench.folder, after: nil, limit: 2)
        let asked = bench.host(all)
        #expect(asked.questions.map(\.request) == [.requestDirectory(Bench.folder, after: nil, limit: 100_000)])
        let page = Bench.columns([("a", "synced"), ("%FF", "error"), ("z", "")])
        #expect(bench.answer(asked, .directory(page, next: nil)).listings == [["a", "z", "next z"]])
        let next = bench.host(.requestDirectory(Bench.folder, after: Bench.names("z")[0], limit: 2))
        #expect(next.questions.isEmpty && next.listings == [["%FF"]])
        #expect(bench.update("/home/Cloud", [("new", "pending")]).signals == ["h1 /home/Cloud new=pending"])
        #expect(
            bench.host(.requestDirectory(Bench.folder, after: nil, limit: 0)).listings == [["a", "new", "z", "%FF"]])
    }

    @Test("RequestDirectory waits 50 ms at most; what comes late comes by signal, over all pages of the provider")
    func lateDirectory() {
        var bench = Self.observing("h1")
        let asked = bench.host(.requestDirectory(Bench.folder, after: nil, limit: 0))
        #expect(bench.advance(milliseconds: 50).listings == [[]])
        #expect(bench.update("/home/Cloud", [("b", "error")]).signals == ["h1 /home/Cloud b=error"])
        let first = ProviderAnswer.directory(
            Bench.columns([("a", "synced"), ("b", "synced")]), next: Bench.names("b")[0])
        let second = bench.answer(asked, first)
        #expect(
            second.questions.map(\.request) == [
                .requestDirectory(Bench.folder, after: Bench.names("b")[0], limit: 100_000)
            ])
        _ = bench.answer(second, .directory(Bench.columns([("c", "paused")]), next: nil))
        #expect(bench.collect(milliseconds: 50).signals == ["h1 /home/Cloud a=synced c=paused"])
    }

    @Test("A provider whose pages do not get on is stopped")
    func endlessPages() {
        var bench = Self.observing("h1")
        let asked = bench.host(.requestDirectory(Bench.folder, after: nil, limit: 0))
        let page = ProviderAnswer.directory(Bench.columns([("a", "synced")]), next: Bench.names("a")[0])
        let second = bench.answer(asked, page)
        let third = bench.answer(second, page)
        #expect(third.questions.isEmpty && third.listings == [["a"]])
    }

    @Test("A provider whose page is empty and names another page is not asked for that one")
    func endlessEmptyPages() {
        for names in [[], [("a", "synced")]] {
            var bench = Self.observing("h1")
            var last = bench.host(.requestDirectory(Bench.folder, after: nil, limit: 0))
            if !names.isEmpty {
                last = bench.answer(last, .directory(Bench.columns(names), next: Bench.names("a")[0]))
            }
            let empty = ProviderAnswer.directory(BadgeColumns(), next: Bench.names("b")[0])
            let end = bench.answer(last, empty)
            #expect(end.questions.isEmpty && end.listings == [names.map(\.0)])
            #expect(end.contains(.providersChanged))
        }
    }

    @Test("A provider's death withdraws its badges by signal and they return by signal, without a Reset")
    func death() {
        var bench = Self.observing("h1")
        _ = bench.answer(bench.host(Self.ask), Bench.answer("synced", ""))
        let died = bench.send(.peerLeft("p1"))
        #expect(died.signals == ["h1 /home/Cloud a="] && died.resets.isEmpty)
        #expect(bench.engine.folders == [Bench.folder])
        #expect(bench.host(Self.ask).badges == [["", ""]])
        let back = bench.register("cloud", "p9", [Bench.folder])
        #expect(back.resets.isEmpty && back.notices == [.beginObserving(Bench.folder)])
        #expect(back.questions.map(\.request) == [.requestBadges(Bench.folder, Bench.names("a", "b"))])
        _ = bench.collect(milliseconds: 100)
        #expect(bench.answer(back, Bench.answer("synced", "")).signals == ["h1 /home/Cloud a=synced"])
    }

    @Test("F4: once nobody observes, the provider is asked afresh")
    func dropped() {
        var bench = Self.observing("h1")
        _ = bench.answer(bench.host(Self.ask), Bench.answer("synced", "synced"))
        _ = bench.host(.endObserving(Bench.folder))
        _ = bench.host(.beginObserving(Bench.folder))
        #expect(bench.host(Self.ask).questions.count == 1)
    }
}
