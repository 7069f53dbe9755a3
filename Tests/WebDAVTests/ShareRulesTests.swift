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
}
