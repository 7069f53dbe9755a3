import Testing

@testable import WindowModel

/// How a person logs in for a folder that they have.
@Suite struct SigningInTests {
    private static func begun(user: String? = nil) throws -> (SigningIn, Int) {
        var login = SigningIn(server: "https://cloud.example.org", user: user)
        #expect(login.server == "cloud.example.org")
        let askedNumber = login.openPage()
        let (number, question) = try #require(askedNumber)
        #expect(question == .page && login.isBusy && login.work != nil && login.step == .looking)
        return (login, number)
    }

    @Test("On the server's page, which is waited for and can be opened again")
    func page() throws {
        let (begun, number) = try Self.begun(user: "me")
        var login = begun
        login.pageOpened(number)
        #expect(login.step == .page && login.isBusy)
        let askedAgain = login.openPage()
        let again = try #require(askedAgain)
        login.answered(number, .failed("The first page has expired."))
        #expect(login.problem == nil && login.isBusy)
        login.answered(again.0, .loggedIn(user: "me"))
        #expect(login.step == .done && !login.isBusy && login.work == nil)
    }

    @Test("With a password where the server has no page; one that is refused can be typed again")
    func password() throws {
        let (begun, number) = try Self.begun()
        var login = begun
        login.answered(number, .hasNoPage)
        #expect(login.step == .password && !login.isBusy)
        for (user, hasPassword) in [("", true), (" ", true), ("me", false)] {
            let question = login.logIn(user: user, hasPassword: hasPassword)
            #expect(question == nil && login.problem != nil)
        }
        let askedFirst = login.logIn(user: " me\n", hasPassword: true)
        let first = try #require(askedFirst)
        #expect(first.1 == .password(user: "me") && login.problem == nil)
        login.answered(first.0, .failed("The server refuses this password."))
        #expect(login.step == .password && login.problem == "The server refuses this password.")
        let askedSecond = login.logIn(user: "me", hasPassword: true)
        let second = try #require(askedSecond)
        login.answered(second.0, .loggedIn(user: "me"))
        #expect(login.step == .done)
    }

    @Test("A password instead of the page: what becomes of the page does not count any more")
    func passwordInstead() throws {
        let (begun, number) = try Self.begun(user: "me")
        var login = begun
        login.pageOpened(number)
        login.usePassword()
        login.answered(number, .failed("Nobody logged in."))
        #expect(login.step == .password && login.problem == nil)
        let question = login.logIn(user: "", hasPassword: true)?.1
        #expect(question == .password(user: "me"))
    }

    @Test("The login of somebody else helps this folder nothing")
    func somebodyElse() throws {
        let (begun, number) = try Self.begun(user: "me")
        var login = begun
        login.pageOpened(number)
        login.answered(number, .loggedIn(user: "you"))
        #expect(login.step == .page && login.problem?.contains("“you”") == true && !login.isBusy)
    }
}
