import DBus
import Glibc
import RoundelBus
import TestSupport

/// Calls every member of every object that the badge service exports, at random and with hostile values, from hosts,
/// from providers and from strangers, while its providers answer at random, too.
///
/// The time is cut into rounds. At the end of each one every call must have been answered, and when its connections
/// have gone, the service must have no more memory and no more descriptors than before.
final class Fuzzer {
    private struct Call: CustomStringConvertible {
        let number: Int
        let caller: String
        let member: ExportedMember
        let arguments: [DBusValue]

        var description: String {
            let text = "\(caller) \(member)" + "\(arguments)".replacing("DBus.DBusValue", with: "")
            return "\(number) " + (text.count > 600 ? "\(text.prefix(600))… (\(text.count) characters)" : text)
        }
    }

    private let world: World
    private let program: String?
    private let folders: [String]
    private var values: HostileValues
    private let keepAlive: [AnyObject]
    /// The latest calls, for the report of a failure.
    private var latest: [Call] = []
    private var open: [Int: Call] = [:]
    /// Since when no call was answered, and how the service was then.
    private var stalled: ContinuousClock.Instant?
    private var atStall: ServiceObservation?
    /// How long the turns of the fuzzer itself took since then.
    private var longestTurn = Duration.zero
    /// Those of the round.
    private var providers: [FakeProvider] = []
    private(set) var calls = 0
    /// The members that were called.
    private(set) var called: Set<String> = []
    private(set) var refusals = 0

    /// How many calls are kept for the report.
    private static let reported = 40
    /// How many calls are on their way at a time.
    private static let window = 64

    /// - Parameter program: the service's program; nil: the one beside the tests.
    init(_ random: SeededRandom, program: String?) throws {
        self.program = program
        world = try World(starts: false)
        try world.installation.addProgram("xdg-open", "#!/bin/sh\nexit 0\n")
        let world = world
        folders = try ["Sync", "Sync/inner", "Other", "Third"].map { try world.makeFolder($0) }
        for name in ["a", "b", "report.pdf"] { try Disk.write("\(folders[0])/\(name)", name) }
        values = HostileValues(
            random,
            uris: folders.map(uri) + ["", uri(folders[0]) + "/a", uri(folders[0]) + "/none", uri(folders[0]) + "/"])
        keepAlive = [try StandInFileManager(world), try StandInPanel(world)]
        // Memory that is kept for a while to find its use after the end would look like a leak.
        try world.startService(
            from: program,
            more: [
                "ASAN_OPTIONS": "quarantine_size_mb=1:allocator_release_to_os_interval_ms=100",
                "LSAN_OPTIONS": "exitcode=0",
            ])
    }

    // MARK: Running

    /// Goes on for a time, in rounds; throws what went wrong, with the latest calls.
    func run(for time: Duration) throws {
        let service = world.service
        do {
            let start = Moment.now
            var watch = ResourceWatch(world, isSanitized: program != nil)
            repeat {
                try round(until: min(start + time, Moment.now + .seconds(5)))
                try watch.check(after: Moment.now - start, of: time)
                print("fuzz: \(calls) calls, \(try watch.present())")
            } while Moment.now < start + time
            let status = try service?.end(with: SIGTERM)
            if status != 0 { throw Failure("the service ended with \(status ?? -1)") }
            if leakedBytes > Self.leftAtEnd { throw Failure("\(leakedBytes) bytes were leaked") }
        } catch {
            throw Failure(
                "\(error)\nThe latest calls:\n\(latest.suffix(Self.reported).map(\.description).joined(separator: "\n"))\n\(world.installation.logs.suffix(20_000))"
            )
        }
    }

    /// What AddressSanitizer found at the end, if there is one.
    private var leakedBytes: Int {
        guard let line = world.installation.logs.split(separator: "\n").last(where: { $0.contains("SUMMARY: ") })
        else { return 0 }
        let words = line.split(separator: " ")
        return words.firstIndex(of: "byte(s)").flatMap { Int(words[$0 - 1]) } ?? .max
    }

    /// The service does not take itself to pieces at its end. Something that a call leaves behind comes to more.
    private static let leftAtEnd = 8192

    private func round(until end: ContinuousClock.Instant) throws {
        providers = try ["test", "other"].map { try FakeProvider(world, $0) }
        for (provider, folder) in zip(providers, [folders[0], folders[2]]) {
            answerAtRandom(provider)
            try provider.register()
            // A former round may have switched it off.
            _ = try? world.call(
                provider.bus, Names.service, Names.servicePath, Names.providers, "Enable",
                [.string(provider.id), .map([:])])
            try provider.setFolders([folder], watch: true)
        }
        let others = try (0..<3).map { _ in try world.connect() }
        for host in others { try observe(host) }
        let members = try ExportedMember.all(of: Names.service, in: world, asking: others[0])
        let groups = Array(Dictionary(grouping: members) { $0.interface + $0.name }.values)
        let callers = providers.map(\.bus) + others
        while Moment.now < end {
            let member = values.pick(groups.map { values.pick($0) })
            // A provider that unregisters leaves little to do.
            if member.name == "Unregister", !values.once(in: 20) { continue }
            try call(member, from: values.pick(callers))
        }
        try finish()
        for bus in callers { bus.close() }
    }

    private func observe(_ host: Connection) throws {
        for folder in [folders[0], folders[2]] {
            _ = try? world.call(
                host, Names.service, Names.servicePath, Names.host, "BeginObserving", [.string(uri(folder)), .map([:])])
        }
    }

    private func call(_ member: ExportedMember, from bus: Connection) throws {
        let arguments = values.arguments(member.input)
        calls += 1
        called.insert("\(member.interface).\(member.name)")
        let call = Call(number: calls, caller: bus.uniqueName, member: member, arguments: arguments)
        latest.append(call)
        if latest.count > 2 * Self.reported { latest.removeFirst(Self.reported) }
        open[call.number] = call
        bus.call(
            Names.service, member.path, member.interface, member.name,
            { for argument in arguments { try $0.append(value: argument) } },
            { [weak self] result in
                self?.open[call.number] = nil
                self?.note(result, of: member)
            })
        if values.once(in: 50) { try changeFile() }
        while open.count >= Self.window { try turn() }
    }

    private func note(_ result: Result<Message, DBusError>, of member: ExportedMember) {
        switch result {
        case .success(let reply):
            guard member.name == "GetMenu", let arguments = try? reply.arguments(), let id = arguments.first?.uint64
            else { return }
            values.noteMenu(id)
        case .failure: refusals += 1
        }
    }

    private func turn() throws {
        let before = open.count
        let start = Moment.now
        world.loop.runOnce(timeout: .milliseconds(20))
        guard world.service?.isRunning == true else { throw Failure("the service has ended") }
        if open.count < before { noteAnswers() }
        longestTurn = max(longestTurn, start.duration(to: .now))
        let since = stalled ?? Moment.now
        stalled = since
        if Moment.now - since > .milliseconds(200) { release() }
        if atStall == nil, Moment.now - since > .seconds(1) { atStall = observation }
        guard Moment.now - since < World.patience else { throw unanswered }
    }

    private func noteAnswers() {
        stalled = nil
        atStall = nil
        longestTurn = .zero
    }

    private var observation: ServiceObservation? { world.service.map { ServiceObservation(of: $0.identifier) } }

    /// Some calls are answered when a provider has answered, which may be never.
    private func release() {
        for call in providers.flatMap(\.held) { call.answer([]) }
    }

    private var unanswered: Failure {
        let calls = open.values.sorted { $0.number < $1.number }.map(\.description).joined(separator: "\n")
        var report = "The longest turn of the fuzzer itself took \(longestTurn)."
        if let observation, let atStall { report += "\n" + observation.report(since: atStall) }
        return Failure("\(report)\nthese calls have no answer:\n\(calls)")
    }

    private func changeFile() throws {
        let path = "\(folders[0])/f\(Int.random(in: 0..<8, using: &values.random))"
        if Disk.exists(path) { try Disk.remove(path) } else { try Disk.write(path, "x") }
    }

    /// Waits until every call is answered; whoever keeps an answer back gives it.
    private func finish() throws {
        for provider in providers { provider.handlers = [:] }
        release()
        noteAnswers()
        while !open.isEmpty { try turn() }
        noteAnswers()
    }

    // MARK: Providers that answer at random

    /// What each method of Provider1 answers.
    private static let answers = [
        "BeginObserving": "a{sv}", "EndObserving": "a{sv}", "RequestBadges": "asauaya{sv}",
        "RequestDirectory": "asasauaysa{sv}", "GetMenu": "aa{sv}a{sv}", "Activate": "a{sv}",
        "GetAttributes": "a{sv}a{sv}",
        "ItemsChanged": "a{sv}",
    ]

    private func answerAtRandom(_ provider: FakeProvider) {
        provider.menu = [["id": .string("act"), "label": .string("Act")]]
        provider.know(uri(folders[0]), ["a": "synced", "b": "test.star", "inner": "error"])
        for (member, signature) in Self.answers {
            provider.handlers[member] = { [weak self, weak provider] call, arguments in
                guard let self, let provider else { return }
                answer(call, arguments, signature, of: provider)
            }
        }
    }

    private func answer(_ call: MethodCall, _ arguments: [DBusValue], _ signature: String, of provider: FakeProvider) {
        switch Int.random(in: 0..<12, using: &values.random) {
        case 0: call.reply { [values = values.wrongArguments()] in for value in values { try $0.append(value: value) } }
        case 1, 2, 3:
            call.reply { [values = values.values(signature)] in for value in values { try $0.append(value: value) } }
        case 4:
            call.fail(DBusError(name: "org.roundel.Error.Cancelled", message: values.pick(["", "No.", "\u{202E}x"])))
        case 5 where values.once(in: 4): provider.keep(call)
        default:
            switch call.member {
            case "RequestBadges": call.answer(Row.values(provider.rows(arguments)))
            case "GetMenu": call.answer([.maps(provider.menu)])
            case "RequestDirectory": call.answer(Row.columns([Row(name: "a", badge: "synced")]) + [.string("")])
            case "GetAttributes": call.answer([.map(["state": .string("synced")])])
            default: call.answer([])
            }
        }
    }
}

/// Sees that the service gives back what it took, round for round.
private struct ResourceWatch {
    private let world: World
    private var rounds = 0
    private var mostDescriptors = 0
    private var mostMemory = 0

    /// What the heap of a long run may come to hold more than after the first rounds, in KiB.
    private let slack: Int

    /// - Parameter isSanitized: the service keeps the account of its memory in more memory.
    init(_ world: World, isSanitized: Bool) {
        self.world = world
        slack = isSanitized ? 128 << 10 : 12 << 10
    }

    private func descriptors() throws -> Int {
        guard let service = world.service else { throw Failure("roundeld does not run") }
        return try Disk.names("/proc/\(service.identifier)/fd").count
    }

    private func descriptorTargets() throws -> [String] {
        let folder = "/proc/\(world.service?.identifier ?? 0)/fd"
        return try Disk.names(folder).compactMap { try? Disk.target("\(folder)/\($0)") }
    }

    /// What the service has now.
    func present() throws -> String { "\(try world.privateMemory()) KiB of memory, \(try descriptors()) descriptors" }

    /// After a round whose connections are closed. The first third of the time is for getting warm.
    mutating func check(after elapsed: Duration, of time: Duration) throws {
        rounds += 1
        if rounds == 1 || elapsed * 3 < time {
            // It gives memory back once it has been at rest.
            let rest = Moment.now + .milliseconds(1500)
            while Moment.now < rest { world.loop.runOnce(timeout: .milliseconds(50)) }
            mostMemory = max(mostMemory, try world.privateMemory())
            if rounds == 1 { mostDescriptors = try descriptors() }
        }
        do {
            try wait(until: { try descriptors() }, isAtMost: mostDescriptors, "descriptors")
        } catch { throw Failure("\(error): \(try descriptorTargets())") }
        try wait(until: { try world.privateMemory() }, isAtMost: mostMemory + slack, "KiB of memory")
    }

    private func wait(until measure: () throws -> Int, isAtMost limit: Int, _ what: String) throws {
        let deadline = Moment.now + World.patience
        var found = try measure()
        while found > limit {
            guard Moment.now < deadline else { throw Failure("the service has \(found) \(what), not \(limit) at most") }
            world.loop.runOnce(timeout: .milliseconds(100))
            found = try measure()
        }
    }
}
