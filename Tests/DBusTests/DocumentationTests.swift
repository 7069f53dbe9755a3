import TestSupport
import Testing

@Suite("The documentation")
struct DocumentationTests {
    @Test("The example does what it says")
    func example() async throws {
        let bus = try PrivateBus()
        #expect(try await greeting(for: "Ada", on: bus.address) == "Hello, Ada!")
    }

    @Test("The example of the article is the one that is tested")
    func article() throws {
        let article = try Sources.text("Sources/DBus/DBus.docc/DBus.md")
        let tested = try Sources.text("Tests/DBusTests/GreetingExample.swift")
        #expect(Sources.firstExample(in: article) == tested)
    }
}
