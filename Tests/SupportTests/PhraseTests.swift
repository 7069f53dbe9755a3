import Support
import Testing

@Suite("Texts for people")
struct PhraseTests {
    @Test("A placeholder is filled with its argument, in any order and more than once")
    func placeholders() {
        #expect(Phrase.text("{2} before {1}, {2}", "a", "b") == "b before a, b")
        #expect(Phrase.text("{1}{2}", arguments: ["a", "b"]) == "ab")
        #expect(Phrase.text("no placeholder", "x") == "no placeholder")
    }

    @Test(
        "What an argument holds is text, even if it looks like a placeholder",
        arguments: ["{1}", "{2}", "{3}", "%1", "%2", "%1$s", "%@", "{", "}", "{{1}}", "{2", "1}", ""])
    func arguments(name: String) {
        #expect(Phrase.text("“{1}” is a copy of “{2}”.", name, "other") == "“\(name)” is a copy of “other”.")
        #expect(Phrase.text("“{1}” is a copy of “{2}”.", "other", name) == "“other” is a copy of “\(name)”.")
        #expect(Phrase.text("{2}{1}", arguments: [name, name]) == name + name)
        #expect(Phrase.counted(2, one: "1 item of {2}", other: "{1} items of {2}", name) == "2 items of \(name)")
    }

    @Test("What is no placeholder, or has no argument, stays")
    func others() {
        #expect(Phrase.text("{1} and {3} and {", "x") == "x and {3} and {")
        #expect(
            Phrase.text("{0} {} {-1} {+1} {1 } {99999999999999999999}", "x")
                == "{0} {} {-1} {+1} {1 } {99999999999999999999}")
        #expect(Phrase.text("{\"path\":{1},\"all\":[{2}]} 100 % %1", "a", "b") == "{\"path\":a,\"all\":[b]} 100 % %1")
    }

    @Test("A number chooses the form of its text")
    func plurals() {
        let texts = [-1, 0, 1, 2].map { Phrase.counted($0, one: "1 item of {2}", other: "{1} items of {2}", "x") }
        #expect(texts == ["-1 items of x", "0 items of x", "1 item of x", "2 items of x"])
        #expect(Phrase.counted(UInt64.max, one: "{1}", other: "{1}s") == "18446744073709551615s")
    }
}
