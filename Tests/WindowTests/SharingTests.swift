import RoundelBus
import Support
import Testing

@testable import WindowModel

/// How a person shares an item in the window.
@Suite struct SharingTests {
    private let item: ItemURI
    private let today: CalendarDay
    private var sharing: Sharing

    init() throws {
        item = try ItemURI("file:///home/p/Cloud/Plan.odt")
        today = try #require(CalendarDay("2026-11-28"))
        sharing = Sharing(item, today: today)
    }

    private static func rules() -> SyncShareRules {
        var rules = SyncShareRules()
        (rules.linkRights, rules.peopleRights) = (["view", "upload"], ["view", "edit"])
        (rules.needsPassword, rules.leastPassword) = (true, 8)
        (rules.linkDays, rules.linkUsualDays) = (7, 7)
        return rules
    }

    private static let ana = SyncShareRecipient(kind: "user", with: "ana", name: "Ana Lopez")

    private mutating func load(_ rules: SyncShareRules = rules(), _ shares: [SyncShare] = []) {
        #expect(sharing.begin() == .load && sharing.isBusy && !sharing.isLoaded)
        #expect(sharing.answered(.load, .loaded(rules, shares)) == nil && !sharing.isBusy)
    }

    @Test("E12: What the server demands of a link is said, proposed and checked before it is asked for")
    mutating func link() {
        load()
        let said = "The server lets this share work for 7 days at most. The server demands a password. "
        #expect(sharing.demands == said + "A password needs at least 8 characters.")
        #expect(sharing.proposedEnd == "2026-12-05" && sharing.rights == [.view, .upload] && sharing.allowed == .view)
        for (until, password) in [
            ("2026-12-05", 0), ("2026-12-05", 7), ("2026-12-06", 8), ("2026-11-27", 8), ("in a week", 8),
        ] {
            #expect(sharing.share(until: until, password: password) == nil && sharing.problem != nil, "\(until)")
        }
        sharing.allow(.upload)
        let question = sharing.share(until: "2026-12-01", password: 8)
        #expect(question == .add(.link, with: nil, .upload, until: "2026-12-01", hasPassword: true))
        #expect(sharing.problem == nil && sharing.isBusy && sharing.share(until: "", password: 8) == nil)
    }

    @Test("E12: A person who was found gets what people may be given, without a password")
    mutating func person() throws {
        load()
        #expect(sharing.type("a") == nil)
        #expect(sharing.type("an") == .search("an"))
        // While that is not answered nothing else is asked; then what stands there by now.
        #expect(sharing.type("ana") == nil)
        #expect(sharing.answered(.search("an"), .found([Self.ana])) == .search("ana") && sharing.found.isEmpty)
        #expect(sharing.answered(.search("ana"), .found([Self.ana])) == nil && sharing.found == [Self.ana])
        sharing.choose(Self.ana)
        #expect(sharing.whom == "Ana Lopez" && sharing.found.isEmpty && !sharing.hasPassword)
        #expect(sharing.rights == [.view, .edit] && sharing.demands == nil && sharing.proposedEnd.isEmpty)
        sharing.allow(.edit)
        let asked = sharing.share(until: "", password: 3)
        let question = try #require(asked)
        #expect(question == .add(.user, with: "ana", .edit, until: nil, hasPassword: false))
        var made = SyncShare(id: "4", kind: "user", rights: "edit")
        made.name = "Ana Lopez"
        #expect(sharing.answered(question, .added(made)) == nil)
        #expect(sharing.rows.map(\.spoken) == ["Ana Lopez, May edit it, without an end"] && sharing.isLink)
        #expect(sharing.allowed == .view)
    }

    @Test("E12: Shares that there are are listed, and one is ended; what fails is said")
    mutating func ending() throws {
        var link = SyncShare(id: "1", kind: "link", rights: "view")
        (link.until, link.hasPassword, link.address) = ("2026-12-01", true, "https://x.org/s/1")
        var other = SyncShare(id: "2", kind: "other", rights: "other")
        other.name = "m@x.org"
        load(Self.rules(), [link, other])
        #expect(sharing.rows[0].terms == "May see it, until 2026-12-01, with a password")
        #expect(sharing.rows[0].address == "https://x.org/s/1" && sharing.rows[1].whom == "m@x.org")
        let asked = sharing.end("1")
        let question = try #require(asked)
        #expect(question == .end("1") && sharing.end("2") == nil)
        #expect(sharing.answered(question, .failed("It broke.")) == nil)
        #expect(sharing.problem == "It broke." && sharing.rows.count == 2)
        #expect(sharing.end("1") != nil && sharing.answered(question, .ended("1")) == nil)
        #expect(sharing.rows.map(\.id) == ["2"] && sharing.problem == nil)
    }

    @Test("E12: Of a share that is changed only what is new is sent, by the same rules")
    mutating func editing() throws {
        var link = SyncShare(id: "1", kind: "link", rights: "view")
        (link.until, link.hasPassword) = ("2026-12-30", true)
        var person = SyncShare(id: "2", kind: "user", rights: "edit")
        (person.with, person.name) = ("ana", "Ana Lopez")
        let other = SyncShare(id: "3", kind: "other", rights: "other")
        load(Self.rules(), [link, person, other])
        #expect(sharing.rows.map(\.isEditable) == [true, true, false])
        sharing.edit("3")
        #expect(sharing.edited == nil && sharing.verb == "Share" && !sharing.hasOther)
        sharing.edit("1")
        #expect(sharing.edited?.id == "1" && sharing.verb == "Save" && sharing.hasOther && !sharing.hasPeople)
        // What it has stays although a new share could not have it, and its password need not be typed again.
        #expect(sharing.proposedEnd == "2026-12-30" && sharing.allowed == .view && !sharing.mayDropPassword)
        #expect(
            sharing.share(until: "2026-12-30", password: 0) == nil && sharing.edited == nil && sharing.problem == nil)
        sharing.edit("1")
        #expect(sharing.share(until: "2026-12-31", password: 0) == nil && sharing.problem != nil)
        #expect(sharing.share(until: "2026-12-30", password: 5) == nil && sharing.problem != nil)
        sharing.allow(.upload)
        let asked = sharing.share(until: "2026-12-01", password: 0, dropsPassword: true)
        let question = try #require(asked)
        #expect(question == .change("1", .upload, until: "2026-12-01", hasPassword: false, dropsPassword: false))
        // A part may have been done: what there is by now is asked for.
        #expect(sharing.answered(question, .failed("It broke.")) == .load && sharing.problem == "It broke.")
        #expect(sharing.answered(.load, .loaded(Self.rules(), [link, person])) == nil && sharing.edited?.id == "1")
        link.until = "2026-12-01"
        #expect(sharing.answered(question, .changed(link)) == nil && sharing.edited == nil && sharing.isLink)
        #expect(sharing.rows[0].terms.contains("until 2026-12-01") && sharing.rows.count == 2)
        sharing.edit("2")
        #expect(sharing.whom == "Ana Lopez" && sharing.allowed == .edit && !sharing.hasPassword)
        let narrowed: Sharing.Question? = {
            sharing.allow(.view)
            return sharing.share(until: "", password: 0)
        }()
        #expect(narrowed == .change("2", .view, until: nil, hasPassword: false, dropsPassword: false))
    }

    @Test("A password can be taken away where the server demands none")
    mutating func dropping() {
        var rules = SyncShareRules()
        rules.linkRights = ["view"]
        var link = SyncShare(id: "1", kind: "link", rights: "view")
        link.hasPassword = true
        load(rules, [link])
        sharing.edit("1")
        #expect(sharing.mayDropPassword)
        let asked = sharing.share(until: "", password: 0, dropsPassword: true)
        #expect(asked == .change("1", nil, until: nil, hasPassword: false, dropsPassword: true))
    }

    @Test("Where a server makes no links, a person is to be searched; where it shares with nobody, that is said")
    mutating func nothing() {
        var rules = SyncShareRules()
        rules.peopleRights = ["view"]
        load(rules)
        #expect(sharing.demands?.contains("makes no links") == true && sharing.hasPeople && !sharing.hasPassword)
        #expect(sharing.share(until: "", password: 0) == nil && sharing.problem == sharing.demands)
        sharing = Sharing(item, today: today)
        load(SyncShareRules())
        #expect(!sharing.hasPeople && sharing.type("ana") == nil)
    }
}
