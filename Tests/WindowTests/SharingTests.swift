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
