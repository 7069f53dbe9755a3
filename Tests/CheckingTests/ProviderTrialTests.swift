import Checking
import DBus
import RoundelBus
import Testing

/// What is said of a provider, from what it calls and how it answers.
@Suite struct ProviderTrialTests {
    private static let folder = "file:///home/me/Folder"
    private var trial: ProviderTrial

    init() throws {
        trial = ProviderTrial(id: try #require(ProviderID("own")))
        trial.note(.serviceCame)
    }

    private func outcome(_ rule: ProviderRule) -> CheckOutcome? { trial.verdicts.first { $0.rule == rule }?.outcome }

    /// Calls what is not refused.
    private mutating func call(_ call: ProviderCall) { #expect(trial.note(call) == nil) }

    private mutating func register(_ folders: [String] = [folder]) {
        call(.register(object: "/own", options: ["id": .string("own")], ownsName: true))
        call(.setFolders(folders.map { .init(uri: $0, options: ["watch": .bool(true)]) }))
    }

    private mutating func answer(_ question: ProviderQuestion, _ values: DBusValue...) {
        trial.note(question, ProviderAnswer(.values(values), after: .zero))
    }

    private mutating func badges(
        _ place: ProviderQuestion.Place, _ names: [String], _ badges: [String], progress: [UInt8]? = nil
    ) {
        answer(
            .badges(directory: Self.folder, names: names, place), .strings(badges),
            .uint32s(badges.map { _ in 0 }), .bytes(progress ?? badges.map { _ in 255 }), .map([:]))
    }

    @Test("A provider that registers, and does nothing else, breaks nothing")
    mutating func registers() {
        register()
        #expect(outcome(.registers) == .ok && outcome(.busName) == .ok && outcome(.folders) == .ok)
        #expect(!trial.verdicts.contains { $0.outcome == .failed } && trial.verdicts.passes(strictly: true))
    }

    @Test("A refused call changes nothing, and names the rule")
    mutating func refusals() throws {
        #expect(trial.note(.flush(folder: Self.folder))?.roundelCode == .notRegistered)
        #expect(outcome(.registers) == .failed)
        register()
        let nested = [Self.folder, Self.folder + "/below"].map { ProviderCall.Folder(uri: $0, options: [:]) }
        #expect(trial.note(.setFolders(nested))?.roundelCode == .folderTaken)
        #expect(trial.folders?.map(\.uri.uri) == [Self.folder])
        #expect(outcome(.folders) == .failed)
        let images = [ProviderCall.Image(badge: "other.x", label: "X", icon: "")]
        #expect(trial.note(.setBadgeImages(images))?.roundelCode == .badgeTaken)
        #expect(trial.note(.flush(folder: "file:///etc"))?.roundelCode == .notYourFolder)
        #expect(outcome(.images) == .failed && outcome(.ownItems) == .failed)
    }

    @Test("Badges are common ones or own ones with an image; columns fit the names")
    mutating func columns() {
        register()
        call(.setBadgeImages([.init(badge: "own.star", label: "Star", icon: "star")]))
        badges(.own, ["a", "b", "c"], ["synced", "", "own.star"])
        #expect(outcome(.badges) == .ok && outcome(.columns) == .ok)
        badges(.own, ["a"], ["own.moon"])
        #expect(outcome(.badges) == .failed)
        badges(.own, ["a"], ["synced"], progress: [101])
        #expect(outcome(.columns) == .failed)
    }

    @Test("Outside its folders nothing has a badge, beside them only they have one")
    mutating func outside() {
        register()
        badges(.parent(of: ["Folder"]), ["Folder", "Other"], ["synced", ""])
        badges(.outside, ["passwd"], [""])
        trial.note(
            .attributes(uri: "file:///etc", .outside),
            ProviderAnswer(.error(DBusError(.failed, "It is not mine.")), after: .zero))
        #expect(outcome(.outside) == .ok)
        badges(.parent(of: ["Folder"]), ["Folder", "Other"], ["synced", "synced"])
        #expect(outcome(.outside) == .failed)
    }

    @Test(
        "A page is in order, after the name that was given, within its limit, and goes on after its last name",
        arguments: [
            (["b", "c"], "c", "a", CheckOutcome.ok), (["b", "%C3%BC"], "", "a", .ok), (["c", "b"], "", "a", .failed),
            (["a", "b"], "", "a", .failed), (["b", "c", "d"], "", "a", .failed), (["b", "c"], "b", "a", .failed),
        ])
    mutating func pages(names: [String], next: String, after: String, expected: CheckOutcome) {
        register()
        answer(
            .page(directory: Self.folder, after: after, limit: 2, .own), .strings(names),
            .strings(names.map { _ in "synced" }), .uint32s(names.map { _ in 0 }), .bytes(names.map { _ in 255 }),
            .string(next), .map([:]))
        #expect(outcome(.pages) == expected)
    }

    @Test("What is left out is not played; what fails otherwise is no member that is left out")
    mutating func absence() {
        register()
        let unknown = ProviderAnswer(.error(DBusError(.unknownMethod, "No.")), after: .zero)
        for question in [ProviderQuestion.menu(kind: 0, isRepeated: false), .attributes(uri: Self.folder, .own)] {
            trial.note(question, unknown)
        }
        trial.note(.unheard, unknown)
        #expect(outcome(.menu) == .notPlayed && outcome(.attributes) == .notPlayed && outcome(.absent) == .ok)
        trial.note(.unheard, ProviderAnswer(.error(DBusError(.failed, "No.")), after: .zero))
        #expect(outcome(.absent) == .failed)
    }

    @Test("Many calls for what changed together are advice against; a few for the states on the way are not")
    mutating func together() {
        register()
        func update(_ name: String) -> ProviderCall {
            .updateBadges(
                .init(directory: Self.folder, names: [name], badges: ["synced"], flags: 1, progress: [255]))
        }
        for (count, expected) in [(10, CheckOutcome.ok), (40, .failed)] {
            trial.note(.changed(directory: Self.folder, items: 40))
            for number in 0..<count { call(update("n\(number)")) }
            trial.note(.settled)
            #expect(outcome(.together) == expected)
        }
        #expect(trial.verdicts.passes(strictly: false) && !trial.verdicts.passes(strictly: true))
    }

    @Test("After a restart the same folders have to come; while the service is away the provider has to stay")
    mutating func restart() {
        register()
        trial.note(.serviceLeft)
        trial.note(.stayed)
        trial.note(.serviceCame)
        register()
        #expect(outcome(.returns) == .ok && outcome(.stays) == .ok)
        trial.note(.serviceLeft)
        trial.note(.serviceCame)
        register([Self.folder + "2"])
        #expect(outcome(.returns) == .failed)
        trial.note(.serviceLeft)
        trial.note(.left(after: "the service left"))
        #expect(outcome(.stays) == .failed)
    }

    @Test("Ids of a menu are unique, and the same when it is asked for again")
    mutating func menus() {
        register()
        func item(_ id: String) -> VariantMap { ["id": .string(id), "label": .string(id)] }
        answer(.menu(kind: 0, isRepeated: false), .maps([item("a"), item("b")]), .map([:]))
        answer(.menu(kind: 0, isRepeated: true), .maps([item("a"), item("b")]), .map([:]))
        #expect(outcome(.menu) == .ok && outcome(.menuIDs) == .ok)
        answer(.menu(kind: 0, isRepeated: true), .maps([item("a"), item("c")]), .map([:]))
        #expect(outcome(.menuIDs) == .failed)
        answer(.menu(kind: 0, isRepeated: false), .maps([item("a"), item("a")]), .map([:]))
        #expect(outcome(.menu) == .failed)
    }

    @Test("Silence breaks a rule, and an action's error has a sentence")
    mutating func answers() {
        register()
        trial.note(
            .activation(item: "x", isOffered: false),
            ProviderAnswer(.error(DBusError(name: "org.x.Y", message: "")), after: .zero))
        #expect(outcome(.actions) == .failed && outcome(.unknownItem) == .ok)
        trial.note(.hostile(member: "GetMenu", "kind"), ProviderAnswer(.silence, after: .zero))
        #expect(outcome(.answers) == .failed)
    }
}
