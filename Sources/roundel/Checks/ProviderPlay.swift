import Checking
import DBus
import RoundelBus
import Support
import SystemPackage

/// Plays the service, and hosts behind it, for a provider: asks it what they would ask, and what they never would.
struct ProviderPlay {
    /// What is played.
    struct Plan: Sendable {
        /// A directory of the check's own, in which files may be made; nil if there is none.
        var folder: String?
        /// The item that is chosen in a menu; nil for the first that can be.
        var item: String?
        /// Whether an item may be chosen that nobody has named.
        var mayChoose: Bool
    }

    /// The provider is gone, so that nothing more can be played.
    private struct Gone: Error {}

    /// Nil for a provider of the person's session, which is only looked at.
    private let session: PrivateSession?
    private let stand: ProviderStand
    private let plan: Plan
    /// Not the service, so that it sees what happens while there is none.
    private let witness: AsyncConnection
    private var service: AsyncConnection

    init(_ stand: ProviderStand, _ plan: Plan, in session: PrivateSession) async throws {
        self.session = session
        self.stand = stand
        self.plan = plan
        witness = try await session.connect()
        service = try await session.connect()
        try await stand.serve(on: service)
    }

    /// For a provider that runs in the person's session.
    init(_ stand: ProviderStand, lookingOn bus: AsyncConnection) {
        session = nil
        self.stand = stand
        plan = Plan(mayChoose: false)
        (witness, service) = (bus, bus)
    }

    /// Asks a provider that the stand has found what hosts ask, and nothing that changes anything.
    func look() async throws {
        do {
            try await playInterface()
            for folder in Self.some(stand.state.folders ?? []) { try await play(folder) }
            try await playMenus()
            try await playQuiet()
        } catch is Gone {}
    }

    /// Plays everything with a provider that was started.
    mutating func run(_ program: CheckedProgram) async throws {
        do {
            try await awaitRegistration(of: program)
            try await playInterface()
            for folder in Self.some(stand.state.folders ?? []) { try await play(folder) }
            try await playMenus()
            try await playChanges()
            try await playHostile()
            try await playQuiet()
            try await playRestart()
        } catch is Gone {}
        await witness.close()
        await service.close()
    }

    /// A few of many folders say as much as all.
    private static func some(_ folders: [ProviderTrial.Folder]) -> ArraySlice<ProviderTrial.Folder> {
        folders.prefix(3)
    }

    // MARK: Asking

    /// Calls a member of the provider's interface, and hands the answer to the trial.
    /// - Parameter times: How often; the quickest answer counts, since a late one says nothing on a busy machine.
    @discardableResult
    private func ask(
        _ question: ProviderQuestion, _ member: String, _ arguments: [DBusValue], times: Int = 1,
        limit: Duration = Patience.Checking.answer
    ) async throws -> ProviderAnswer {
        guard let object = stand.state.object else { throw Gone() }
        return try await ask(question, Names.provider, member, at: object, arguments, times: times, limit: limit)
    }

    private func ask(
        _ question: ProviderQuestion, _ interface: String, _ member: String, at object: ObjectPath,
        _ arguments: [DBusValue], times: Int = 1, limit: Duration = Patience.Checking.answer
    ) async throws -> ProviderAnswer {
        var best: ProviderAnswer?
        for _ in 0..<times {
            guard let provider = stand.provider else { throw Gone() }
            let start = Instant.now
            var content: ProviderAnswer.Content
            do {
                content = .values(
                    try await service.call(provider, object, interface, member, arguments, timeout: limit))
            } catch let error as DBusError {
                content = .error(error)
                if error.standard == .noReply || error.standard == .serviceUnknown || error.standard == .nameHasNoOwner
                {
                    try await check(after: question.description)
                    content = .silence
                }
            }
            let answer = ProviderAnswer(content, after: start.duration(to: .now))
            if best.map({ answer.isQuicker(than: $0) }) ?? true { best = answer }
        }
        guard let best else { throw Gone() }
        stand.note(question, best)
        return best
    }

    /// - Throws: ``Gone`` if the provider has left the bus.
    private func check(after cause: String) async throws {
        guard let provider = stand.provider, try await witness.owner(of: provider) == nil else { return }
        stand.note(.left(after: cause))
        throw Gone()
    }

    private static let noOptions = DBusValue.map([:])
    private static let strangeOptions = DBusValue.map(["of-a-later-version": .string("x"), "another": .uint32(7)])

    // MARK: The beginning

    private func awaitRegistration(of program: CheckedProgram) async throws {
        let isRegistered = try await stand.wait(Patience.Checking.start) { $0.object != nil || !program.isRunning }
        guard isRegistered, stand.state.object != nil else {
            stand.note(.waitedInVain(.registration))
            throw Gone()
        }
        guard try await stand.wait(Patience.Checking.reaction, until: { $0.folders != nil }) else {
            return stand.note(.waitedInVain(.folders))
        }
        if !(try await stand.wait(Patience.Checking.reaction) { $0.hasFlushed }) { stand.note(.waitedInVain(.flush)) }
    }

    private func playInterface() async throws {
        guard let object = stand.state.object else { return }
        _ = try await ask(
            .version, Self.properties, "Get", at: object, [.string(Names.provider), .string("Version")])
        try await ask(.unheard, "RequestTheWeather", [.string(""), Self.noOptions])
        let services = stand.state.services
        if services.isEmpty { stand.note(.skipped(.services, because: tr("It offers no interface of engines."))) }
        for (name, path) in services.sorted(by: { $0.key < $1.key }) {
            guard EngineInterface.allCases.contains(where: { $0.name == name }), let path = try? ObjectPath(path) else {
                continue
            }
            _ = try await ask(
                .service(interface: name), Self.properties, "Get", at: path, [.string(name), .string("Version")])
        }
    }

    private static let properties = "org.freedesktop.DBus.Properties"

    // MARK: Folders

    private func play(_ folder: ProviderTrial.Folder) async throws {
        let uri = folder.uri
        try await observe(uri, true)
        let names = ((try? ListedItem.list(uri.filePath)) ?? []).prefix(100).compactMap {
            try? ItemName(bytes: $0.name)
        }
        let shown = names.map(\.encoded) + ["not%20there"]
        try await ask(
            .badges(directory: uri.uri, names: shown, .own), "RequestBadges",
            [.string(uri.uri), .strings(shown), Self.noOptions], times: 3)
        try await ask(
            .strangeOptions, "RequestBadges", [.string(uri.uri), .strings(shown), Self.strangeOptions])
        try await page(uri, after: "", limit: UInt32(Limits.namesPerCall))
        try await pages(of: uri)
        if let item = names.first {
            let place = uri.appending(item).uri
            try await ask(
                .attributes(uri: place, .own), "GetAttributes", [.string(place), .strings([]), Self.noOptions], times: 3
            )
        }
        try await playParent(of: uri)
        try await playOutside(uri)
        try await observe(uri, false)
    }

    private func observe(_ directory: ItemURI, _ isObserved: Bool) async throws {
        // In a session the service says what is observed.
        guard session != nil else { return }
        stand.observe(directory.uri, isObserved)
        guard let object = stand.state.object, let provider = stand.provider else { throw Gone() }
        let member = isObserved ? "BeginObserving" : "EndObserving"
        // As the service sends it: nobody waits for the reply, and a provider may leave it out.
        try await service.perform { bus in
            _ = bus.call(
                provider, object, Names.provider, member, timeout: nil,
                { writer in
                    try writer.append(directory)
                    try writer.append(map: [:])
                }, { _ in })
        }
    }

    @discardableResult
    private func page(_ directory: ItemURI, after: String, limit: UInt32) async throws -> ProviderAnswer {
        try await ask(
            .page(directory: directory.uri, after: after, limit: limit, .own), "RequestDirectory",
            [.string(directory.uri), .string(after), .uint32(limit), Self.noOptions], times: 3)
    }

    /// Reads a directory in pages of two names; some say as much as all.
    private func pages(of directory: ItemURI) async throws {
        var after = ""
        for _ in 0..<20 {
            let answer = try await page(directory, after: after, limit: 2)
            guard let next = answer.nextPage, !next.isEmpty, next != after else { return }
            after = next
        }
    }

    private func playParent(of folder: ItemURI) async throws {
        guard let parent = folder.parent, let own = folder.name?.encoded else { return }
        let folders = Set(
            (stand.state.folders ?? []).filter { $0.uri.parent == parent }.compactMap(\.uri.name?.encoded))
        let names =
            [own]
            + ((try? ListedItem.list(parent.filePath)) ?? []).compactMap { try? ItemName(bytes: $0.name) }
            .map(\.encoded).filter { !folders.contains($0) }.prefix(20)
        let place = ProviderQuestion.Place.parent(of: folders)
        try await observe(parent, true)
        try await ask(
            .badges(directory: parent.uri, names: names, place), "RequestBadges",
            [.string(parent.uri), .strings(names), Self.noOptions])
        try await ask(
            .page(directory: parent.uri, after: "", limit: 100, place), "RequestDirectory",
            [.string(parent.uri), .string(""), .uint32(100), Self.noOptions])
        try await observe(parent, false)
    }

    /// Asks for what is in no folder: a directory of the system, and one whose name begins like the folder's.
    private func playOutside(_ folder: ItemURI) async throws {
        let folders = (stand.state.folders ?? []).map(\.uri)
        var places = [("file:///", "etc"), ("file:///etc", "passwd")]
        places.append((folder.uri + Self.besideSuffix, "secret"))
        for (directory, name) in places {
            guard let uri = try? ItemURI(directory), !folders.contains(where: { uri.isWithin($0) || $0.parent == uri })
            else { continue }
            try await ask(
                .badges(directory: directory, names: [name], .outside), "RequestBadges",
                [.string(directory), .strings([name]), Self.noOptions])
            try await ask(
                .page(directory: directory, after: "", limit: 100, .outside), "RequestDirectory",
                [.string(directory), .string(""), .uint32(100), Self.noOptions])
            let item = directory == "file:///" ? directory + name : directory + "/" + name
            try await ask(
                .attributes(uri: item, .outside), "GetAttributes", [.string(item), .strings([]), Self.noOptions])
        }
    }

    /// What the name of a directory beside the folder ends in.
    static let besideSuffix = "-beside"

    // MARK: Menus

    private func playMenus() async throws {
        guard let folder = stand.state.folders?.first?.uri else { return }
        let item = ((try? ListedItem.list(folder.filePath)) ?? []).compactMap { try? ItemName(bytes: $0.name) }.first
        let selected = item.map { folder.appending($0).uri }
        var chosen: (item: String, place: [DBusValue])?
        for kind in MenuKind.allCases {
            let selection = kind == .items ? [selected ?? folder.uri] : [folder.uri]
            let place: [DBusValue] = [.string(folder.uri), .strings(selection)]
            for isRepeated in [false, true] {
                let answer = try await ask(
                    .menu(kind: kind.rawValue, isRepeated: isRepeated), "GetMenu",
                    [.uint32(kind.rawValue)] + place + [Self.noOptions], times: 3)
                let offered = answer.choices(of: kind, selected: selection.count)
                if chosen == nil, let first = offered.first(where: { plan.item == nil || $0 == plan.item }) {
                    chosen = (first, place)
                }
            }
        }
        guard session != nil else { return }
        try await ask(
            .activation(item: "never-offered", isOffered: false), "Activate",
            [.string("never-offered"), .string(folder.uri), .strings([folder.uri]), Self.noOptions])
        guard plan.mayChoose || plan.item != nil else {
            let reason = tr("Nothing is chosen in a home directory that was given, unless --activate names it.")
            return stand.note(.skipped(.actions, because: reason))
        }
        guard let chosen else { return stand.note(.skipped(.actions, because: tr("No menu has an item to choose."))) }
        try await ask(
            .activation(item: chosen.item, isOffered: true), "Activate",
            [.string(chosen.item)] + chosen.place + [Self.strangeOptions], limit: Patience.Checking.action)
    }

    // MARK: Changes

    private static let changes = 40

    private func playChanges() async throws {
        guard let path = plan.folder,
            let folder = stand.state.folders?.first(where: { $0.uri.filePath.string == path }),
            folder.isWatched
        else {
            return stand.note(.skipped(.changes, because: tr("The service watches no folder of the check's for it.")))
        }
        try await observe(folder.uri, true)
        var items: [String] = []
        for number in 0..<Self.changes {
            try PrivateSession.write("x", to: "\(path)/new-\(number)")
            items.append("\(folder.uri.uri)/new-\(number)")
        }
        stand.note(.changed(directory: folder.uri.uri, items: items.count))
        try await ask(
            .changes, "ItemsChanged",
            [.string(folder.uri.uri), .strings([]), .strings(items), .bool(false), Self.noOptions])
        try await Task.sleep(for: Patience.Checking.settling)
        stand.note(.settled)
        try await ask(
            .changes, "ItemsChanged",
            [.string(folder.uri.uri), .strings([folder.uri.uri]), .strings([]), .bool(true), Self.strangeOptions])
        try await observe(folder.uri, false)
    }

    // MARK: Hostile arguments

    private func playHostile() async throws {
        let folder = stand.state.folders?.first?.uri.uri ?? "file:///nowhere"
        let many = (0..<Limits.namesPerCall).map { "n\($0)" }
        let long = String(repeating: "x", count: 5_000)
        func badges(_ what: String, _ directory: String, _ names: [String]) async throws {
            try await ask(
                .hostile(member: "RequestBadges", what), "RequestBadges",
                [.string(directory), .strings(names), Self.noOptions], limit: Patience.Checking.action)
        }
        func page(_ what: String, _ after: String, _ limit: UInt32) async throws {
            try await ask(
                .hostile(member: "RequestDirectory", what), "RequestDirectory",
                [.string(folder), .string(after), .uint32(limit), Self.noOptions])
        }
        try await badges("no URI", "not a URI", ["x"])
        try await badges("empty", "", [""])
        try await badges("dots", folder + "/../..", ["..", "."])
        try await badges("bad escapes", folder + "/%zz%", ["%", "%f", "%00", "%2F"])
        try await badges("not UTF-8", folder + "/%FF%FE", ["%FF%FE%80", "%F0%9F"])
        try await badges("long", folder + "/" + long, [long])
        try await badges("many", folder, many)
        try await page("no limit", "", 0)
        try await page("huge limit", "", .max)
        try await page("bad name", "%zz/..", 5)
        try await page("not UTF-8", "%FF", 5)
        try await ask(
            .hostile(member: "GetMenu", "kind"), "GetMenu",
            [.uint32(.max), .string("x:"), .strings(["", "%"]), Self.strangeOptions])
        try await ask(
            .hostile(member: "GetAttributes", "keys"), "GetAttributes",
            [.string(folder + "/%FF"), .strings(["", "of-a-later-version", long]), Self.strangeOptions])
        try await ask(
            .hostile(member: "ItemsChanged", "outside"), "ItemsChanged",
            [
                .string("file:///nowhere"), .strings([""]), .strings(["%", "file:///etc/passwd"]), .bool(true),
                Self.noOptions,
            ])
        try await ask(.hostile(member: "RequestBadges", "no arguments"), "RequestBadges", [])
        // It must still be there for whoever asks next.
        try await ask(.unheard, "RequestTheWeather", [.string(""), Self.noOptions])
    }

    // MARK: Time

    private func playQuiet() async throws {
        guard let provider = stand.provider else { throw Gone() }
        try await Task.sleep(for: Patience.Checking.settling)
        let process = try await processID(of: provider)
        stand.note(.leftAlone)
        let start = Instant.now
        let before = process.flatMap { CheckedProgram.wakeUps(of: $0) }
        try await Task.sleep(for: Patience.Checking.alone)
        let after = process.flatMap { CheckedProgram.wakeUps(of: $0) }
        let wakeUps = before.flatMap { before in after.map { $0 - before } }
        stand.note(.wasAlone(start.duration(to: .now), wakeUps: wakeUps))
    }

    private func processID(of name: String) async throws -> UInt32? {
        try await witness.call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionUnixProcessID",
            write: { try $0.append(name) }, read: { try? $0.readUInt32() })
    }

    private mutating func playRestart() async throws {
        guard let session, let provider = stand.provider, let folders = stand.state.folders, !folders.isEmpty
        else { return }
        await stand.leave(service)
        try await Task.sleep(for: Patience.Checking.watching)
        guard try await witness.owner(of: provider) != nil else {
            return stand.note(.left(after: tr("the service left")))
        }
        stand.note(.stayed)
        service = try await session.connect()
        try await stand.serve(on: service)
        guard try await stand.wait(Patience.Checking.start, until: { $0.folders != nil }) else {
            return stand.note(.waitedInVain(.comingBack))
        }
        // It works as before.
        if let folder = stand.state.folders?.first { try await play(folder) }
    }
}
