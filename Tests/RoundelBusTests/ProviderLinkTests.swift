import DBus
import RoundelBus
import Support
import TestSupport
import Testing

@Suite("A provider's link with the badge service")
struct ProviderLinkTests {
    static let taken = DBusError(RoundelError(.identityTaken, "The id “cloud” is another's."))

    @Test("It registers where the service is there already, and says who it is")
    func registersAtOnce() throws {
        let bench = try LinkBench()
        bench.registry.appear()
        try bench.link.start()
        #expect(bench.run { bench.provider.registrations == ["yes"] })
        #expect(bench.registry.methods == ["Register"])
        let options = ProviderRegistration(object: "/org/example/cloud", id: "cloud", name: "Cloud").wire
        #expect(bench.registry.calls.first?.arguments == [.objectPath(LinkBench.object), .map(options)])
    }

    @Test("It registers when the service appears, not before")
    func registersLater() throws {
        let bench = try LinkBench()
        try bench.link.start()
        try bench.settle()
        #expect(bench.registry.calls.isEmpty && !bench.link.isRegistered && bench.provider.results.isEmpty)
        bench.registry.appear()
        #expect(bench.run { bench.link.isRegistered })
    }

    @Test("What was said before the registration is said with it, the last of each")
    func buffers() throws {
        let bench = try LinkBench()
        let image = BadgeImage(badge: Badge("cloud.X"), label: "X", icon: "x")
        var accepted = 0
        bench.link.setFolders([FolderOffer(folder: Wire.uri("/old"))]) { if case .success = $0 { accepted += 1 } }
        bench.link.setFolderStatus(Wire.uri("/old"), FolderStatus(state: .idle))
        bench.link.setFolders([FolderOffer(folder: LinkBench.folder, watch: true)]) {
            if case .success = $0 { accepted += 1 }
        }
        bench.link.setBadgeImages([image])
        bench.link.setFolderStatus(LinkBench.folder, FolderStatus(state: .idle))
        bench.link.setFolderStatus(LinkBench.folder, FolderStatus(state: .syncing, text: "Syncing", progress: 7))
        try bench.link.start()
        bench.registry.appear()
        #expect(bench.run { bench.provider.registrations == ["yes"] })
        try bench.settle()
        #expect(bench.registry.methods == ["Register", "SetBadgeImages", "SetFolders", "SetFolderStatus"])
        let offer = DBusValue.structure([.string("file:///home/Cloud"), .map(["watch": .bool(true)])])
        #expect(bench.registry.calls(of: "SetFolders") == [[.array(element: "(sa{sv})", [offer])]])
        let images = DBusValue.structure([.string("cloud.X"), .string("X"), .string("x")])
        #expect(bench.registry.calls(of: "SetBadgeImages") == [[.array(element: "(sss)", [images])]])
        #expect(
            bench.registry.calls(of: "SetFolderStatus") == [
                [.string("file:///home/Cloud"), .uint32(2), .string("Syncing"), .byte(7)]
            ])
        #expect(accepted == 2)
    }

    @Test("After the service was gone it registers again and says folders, images and status again")
    func registersAgain() throws {
        let bench = try LinkBench.registered()
        bench.link.setFolders([FolderOffer(folder: LinkBench.folder)])
        bench.link.setBadgeImages([BadgeImage(badge: Badge("cloud.X"), label: "X", icon: "x")])
        bench.link.setFolderStatus(LinkBench.folder, FolderStatus(state: .idle))
        #expect(bench.run { bench.registry.calls.count == 3 })
        let said = Set(bench.registry.methods)
        bench.registry.vanish()
        #expect(bench.run { !bench.link.isRegistered })
        bench.registry.forget()
        bench.registry.appear()
        #expect(bench.run { bench.provider.registrations == ["yes", "gone", "yes"] })
        try bench.settle()
        #expect(Set(bench.registry.methods) == said.union(["Register"]) && bench.registry.calls.count == 4)
    }

    @Test("A service that takes the name over from another is registered with at once")
    func handover() throws {
        let bench = try LinkBench.registered(isReplaceable: true)
        bench.link.setFolders([FolderOffer(folder: LinkBench.folder)])
        let successor = try StandInRegistry(on: try bench.harness.connect())
        successor.refusals["SetBadgeImages"] = DBusError.failed("not called")
        successor.appear(replacing: true)
        #expect(bench.run { bench.provider.registrations == ["yes", "gone", "yes"] })
        #expect(successor.methods == ["Register", "SetFolders"] && bench.link.isRegistered)
    }

    @Test("A service that ends while it registers the provider has refused nothing")
    func serviceEndsWhileRegistering() throws {
        let bench = try LinkBench()
        bench.registry.kept = ["Register": []]
        bench.registry.appear()
        try bench.link.start()
        #expect(bench.run { bench.registry.kept["Register"]?.count == 1 })
        bench.registry.bus.close()
        try bench.settle()
        let next = try StandInRegistry(on: try bench.harness.connect())
        next.appear()
        #expect(bench.run { bench.link.isRegistered })
        #expect(bench.run { bench.provider.registrations == ["yes"] })
    }

    @Test("While it is registered everything is said at once; the same status is said once")
    func saysAtOnce() throws {
        let bench = try LinkBench.registered()
        let columns = BadgeColumns(names: Wire.names(["a"]), badges: [.synced], flags: [4], progress: [255])
        var observed: [Bool] = []
        bench.link.updateBadges(in: LinkBench.folder, columns) { observed += (try? $0.get()).map { [$0] } ?? [] }
        #expect(bench.run { observed == [true] })
        bench.registry.isObserved = false
        bench.link.updateBadges(in: LinkBench.folder, columns) { observed += (try? $0.get()).map { [$0] } ?? [] }
        #expect(bench.run { observed == [true, false] })
        #expect(
            bench.registry.calls(of: "UpdateBadges").first == [
                .string("file:///home/Cloud"), .strings(["a"]), .strings(["synced"]), .uint32s([4]), .bytes([255]),
            ])
        let status = FolderStatus(state: .attention, text: "Two conflicts")
        bench.link.setFolderStatus(LinkBench.folder, status)
        bench.link.setFolderStatus(LinkBench.folder, status)
        try bench.settle()
        #expect(bench.registry.calls(of: "SetFolderStatus").count == 1)
        let notice = FolderNotice(id: "conflicts", title: "Two conflicts", count: 2)
        bench.link.setFolderStatus(LinkBench.folder, status, notices: [notice])
        bench.link.setFolderStatus(LinkBench.folder, status, notices: [notice])
        try bench.settle()
        let calls = bench.registry.calls.filter { $0.method == "SetFolderStatus" }
        #expect(calls.map { $0.arguments.last } == [.map([:]), .map(["notices": .maps([notice.wire])])])
    }

    @Test("Without the service an update goes nowhere and a flush is an error")
    func withoutService() throws {
        let bench = try LinkBench()
        try bench.link.start()
        var outcome: [String] = []
        bench.link.updateBadges(in: LinkBench.folder, BadgeColumns()) { outcome.append("\((try? $0.get()) == false)") }
        bench.link.flush(LinkBench.folder) { result in
            if case .failure(let error) = result { outcome.append(error.name) }
        }
        #expect(outcome == ["true", "org.freedesktop.DBus.Error.ServiceUnknown"])
    }

    @Test("A flush is answered when the service answers it, and fails when the service goes")
    func flush() throws {
        let bench = try LinkBench.registered()
        bench.registry.kept = ["Flush": []]
        var outcomes: [Bool] = []
        for _ in 0..<2 {
            bench.link.flush(LinkBench.folder) { result in
                if case .success = result { outcomes.append(true) } else { outcomes.append(false) }
            }
        }
        #expect(bench.run { bench.registry.kept["Flush"]?.count == 2 })
        try bench.settle()
        #expect(outcomes.isEmpty)
        bench.registry.kept["Flush"]?.first.map { bench.registry.answer($0) }
        #expect(bench.run { outcomes == [true] })
        bench.registry.bus.close()
        #expect(bench.run { outcomes == [true, false] })
    }

    @Test("A refused registration is told with the service's words and leaves it unregistered")
    func refusedRegistration() throws {
        let bench = try LinkBench()
        bench.registry.refusals["Register"] = Self.taken
        var folders: [String] = []
        bench.link.setFolders([]) { if case .failure(let error) = $0 { folders.append(error.name) } }
        bench.registry.appear()
        try bench.link.start()
        #expect(bench.run { bench.provider.registrations == [Self.taken.name] })
        #expect(folders == [Self.taken.name])
        try bench.settle()
        #expect(!bench.link.isRegistered && bench.registry.methods == ["Register"])
        guard case .failure(let error)? = bench.provider.results[0] else { return }
        #expect(error.message == Self.taken.message && error.roundelCode == .identityTaken)
    }

    @Test("Refused folders and images are told as well", arguments: ["SetFolders", "SetBadgeImages"])
    func refusedParts(method: String) throws {
        let bench = try LinkBench()
        bench.registry.refusals[method] = DBusError(RoundelError(.folderTaken, "Taken."))
        bench.link.setFolders([FolderOffer(folder: LinkBench.folder)])
        bench.link.setBadgeImages([BadgeImage(badge: Badge("other.X"), label: "", icon: "x")])
        bench.registry.appear()
        try bench.link.start()
        #expect(bench.run { bench.provider.registrations.contains("org.roundel.Error.FolderTaken") })
        #expect(bench.link.isRegistered)
    }

    @Test("Refused folders of a registered provider are told to who set them")
    func refusedFolders() throws {
        let bench = try LinkBench.registered()
        bench.registry.refusals["SetFolders"] = DBusError(RoundelError(.invalidURI, "A file."))
        var errors: [String] = []
        bench.link.setFolders([FolderOffer(folder: LinkBench.folder)]) { result in
            if case .failure(let error) = result { errors.append(error.message) }
        }
        #expect(bench.run { errors == ["A file."] })
    }

    @Test("Stopping withdraws the provider: it says so, and is not there any more")
    func stops() throws {
        let bench = try LinkBench.registered()
        bench.link.stop()
        #expect(bench.run { bench.registry.methods == ["Unregister"] })
        #expect(!bench.link.isRegistered)
        let error = errorName { _ = try bench.ask("EndObserving", { try $0.append(LinkBench.folder) }) }
        #expect(error == "org.freedesktop.DBus.Error.UnknownObject")
        bench.registry.vanish()
        bench.registry.appear()
        try bench.settle()
        #expect(bench.registry.methods == ["Unregister"])
    }

    @Test("Stopping while the registration is on its way withdraws it once it is accepted")
    func stopsWhileRegistering() throws {
        let bench = try LinkBench()
        bench.registry.kept = ["Register": []]
        bench.registry.appear()
        try bench.link.start()
        #expect(bench.run { bench.registry.kept["Register"]?.count == 1 })
        bench.link.stop()
        bench.registry.kept["Register"]?.first.map { bench.registry.answer($0) }
        #expect(bench.run { bench.registry.methods == ["Register", "Unregister"] })
        #expect(!bench.link.isRegistered && bench.provider.results.isEmpty)
    }

    @Test("An object path that is none is refused at once")
    func badObject() throws {
        let bench = try LinkBench()
        let registration = ProviderRegistration(object: "no path", id: "cloud")
        #expect(throws: (any Error).self) {
            try ProviderLink(bench.provider, registration: registration, on: bench.providerBus)
        }
    }

    @Test("A registration that is refused is tried again; what was said meanwhile goes out then")
    func refusedAndTriedAgain() throws {
        let bench = try LinkBench()
        bench.registry.refusals["Register"] = Self.taken
        bench.registry.appear()
        try bench.link.start()
        #expect(bench.run { bench.provider.registrations.count == 1 })
        #expect(!bench.link.isRegistered)
        bench.link.setFolders([FolderOffer(folder: LinkBench.folder)])
        bench.registry.refusals = [:]
        #expect(bench.run { bench.link.isRegistered })
        #expect(bench.run { bench.registry.methods == ["Register", "Register", "SetFolders"] })
    }

    @Test("What is wrong with the arguments is not tried again")
    func refusedForGood() throws {
        let bench = try LinkBench()
        bench.registry.refusals["Register"] = .invalidArgs("No such id.")
        bench.registry.appear()
        try bench.link.start()
        #expect(bench.run { bench.provider.registrations.count == 1 })
        // An attempt would follow after the first pause.
        let rest = ContinuousClock.now + Patience.Restart.first * 2.5
        while ContinuousClock.now < rest { bench.harness.loop.runOnce(timeout: .milliseconds(100)) }
        #expect(bench.registry.methods == ["Register"])
    }

    @Test("A service that knows nothing of the registration is registered with again")
    func lostRegistration() throws {
        let bench = try LinkBench.registered()
        bench.registry.refusals["UpdateBadges"] = DBusError(RoundelError(.notRegistered, "Call Register first."))
        bench.link.updateBadges(in: LinkBench.folder, BadgeColumns())
        #expect(bench.run { !bench.link.isRegistered })
        #expect(bench.run { bench.link.isRegistered })
        #expect(bench.registry.methods == ["UpdateBadges", "Register"])
    }
}
