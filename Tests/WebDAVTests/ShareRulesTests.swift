import Remotes
import Support
import Testing

/// What is refused before a server is asked.
@Suite struct ShareRulesTests {
    private let today: CalendarDay
    private var rules = ShareRules()

    init() throws {
        today = try #require(CalendarDay("2026-11-28"))
        (rules.linkRights, rules.peopleRights, rules.hasGroups) = ([.view, .upload], [.view, .edit], false)
    }

    private func obstacle(_ wish: ShareWish) -> ShareObstacle? {
        do throws(ShareObstacle) {
            _ = try rules.checked(wish, today: today)
            return nil
        } catch {
            return error
        }
    }

    @Test("E12: Kinds, rights and recipients that the server does not give are refused")
    func offered() {
        #expect(obstacle(ShareWish(.link)) == nil && obstacle(ShareWish(.user, with: "a", rights: .edit)) == nil)
        #expect(obstacle(ShareWish(.link, rights: .edit)) == .noSuchRights(.edit, .link))
        #expect(obstacle(ShareWish(.group, with: "g")) == .noSuchKind(.group))
        #expect(obstacle(ShareWish(.user)) == .wrongRecipient(.user))
        #expect(obstacle(ShareWish(.user, with: "")) == .wrongRecipient(.user))
        #expect(obstacle(ShareWish(.link, with: "a")) == .wrongRecipient(.link))
    }

    @Test("E12: A share ends when the server demands it, and not later than that")
    mutating func end() throws {
        var wish = ShareWish(.link)
        wish.end = CalendarDay("2026-11-27")
        #expect(obstacle(wish) == .ended)
        wish.end = today
        #expect(obstacle(wish) == nil)
        rules.linkEnd = .init(mostDays: 7, usualDays: 7)
        wish.end = CalendarDay("2026-12-05")
        #expect(obstacle(wish) == nil)
        wish.end = CalendarDay("2026-12-06")
        #expect(obstacle(wish) == .tooLong(mostDays: 7, last: try #require(CalendarDay("2026-12-05"))))
        #expect(try rules.checked(ShareWish(.link), today: today).end?.text == "2026-12-05")
        #expect(try rules.checked(ShareWish(.user, with: "a"), today: today).end == nil)
    }

    @Test("E12: A password is demanded, long enough, and of links alone; it is in no description")
    mutating func password() {
        rules.needsPassword = true
        rules.leastPassword = 4
        var wish = ShareWish(.link)
        #expect(obstacle(wish) == .passwordNeeded)
        wish.password = SharePassword("äöü")
        #expect(obstacle(wish) == .passwordTooShort(least: 4))
        wish.password = SharePassword("äöüß")
        #expect(obstacle(wish) == nil)
        var person = ShareWish(.user, with: "a")
        #expect(obstacle(person) == nil)
        person.password = wish.password
        #expect(obstacle(person) == .passwordUnused)
        #expect(!"\(wish)".contains("äöü") && !String(reflecting: wish).contains("äöü"))
    }

    @Test("E12: A change is held to the rules of a new share, and what is not named stays as it is")
    func changes() throws {
        let today = try #require(CalendarDay("2026-11-28"))
        var rules = ShareRules()
        (rules.linkRights, rules.peopleRights, rules.leastPassword) = ([.view, .upload], [.view, .edit], 8)
        rules.linkEnd.mostDays = 7
        let (link, person) = (ItemShare(id: "1", kind: .link), ItemShare(id: "2", kind: .user))
        func obstacle(_ share: ItemShare, _ make: (inout ShareChange) -> Void) -> ShareObstacle? {
            var change = ShareChange()
            make(&change)
            do throws(ShareObstacle) { _ = try rules.checked(change, of: share, today: today) } catch { return error }
            return nil
        }
        #expect(obstacle(link) { _ in } == nil && obstacle(ItemShare(id: "3", kind: nil)) { _ in } == .foreignShare)
        #expect(obstacle(link) { $0.rights = .edit } == .noSuchRights(.edit, .link))
        #expect(obstacle(person) { $0.rights = .upload } == .noSuchRights(.upload, .user))
        #expect(obstacle(link) { $0.end = .day(today.adding(days: -1)) } == .ended)
        let last = today.adding(days: 7)
        #expect(obstacle(link) { $0.end = .day(last.adding(days: 1)) } == .tooLong(mostDays: 7, last: last))
        #expect(obstacle(person) { $0.end = .day(last.adding(days: 1)) } == nil)
        #expect(obstacle(link) { $0.password = .new(SharePassword("short")) } == .passwordTooShort(least: 8))
        #expect(obstacle(person) { $0.password = .new(SharePassword("long enough")) } == .passwordUnused)
        #expect(obstacle(link) { $0.password = .none } == nil)
        rules.needsPassword = true
        #expect(obstacle(link) { $0.password = .none } == .passwordNeeded && obstacle(link) { _ in } == nil)
        var endless = ShareChange()
        endless.end = .none
        #expect(try rules.checked(endless, of: link, today: today).end == .day(last))
        #expect(try rules.checked(endless, of: person, today: today).end == .none)
    }
}
