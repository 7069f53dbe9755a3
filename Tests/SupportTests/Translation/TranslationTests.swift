import Support
import SystemPackage
import TestSupport
import Testing

@Suite("Sentences for people")
struct TranslationTests {
    @Test("A place is filled with its argument, in any order and more than once")
    func places() {
        #expect(tr("{2} before {1}, {2}", "a", "b") == "b before a, b")
        #expect(tr("{1}{2}", arguments: ["a", "b"]) == "ab")
        #expect(tr("no place", "x") == "no place" && tr("{1}") == "{1}")
    }

    @Test(
        "What an argument holds is text, even if it looks like a place",
        arguments: ["{1}", "{2}", "{3}", "%1", "%2", "%1$s", "%@", "{", "}", "{{1}}", "{2", "1}", ""])
    func arguments(name: String) {
        #expect(tr("“{1}” is a copy of “{2}”.", name, "other") == "“\(name)” is a copy of “other”.")
        #expect(tr("“{1}” is a copy of “{2}”.", "other", name) == "“other” is a copy of “\(name)”.")
        #expect(tr("{2}{1}", arguments: [name, name]) == name + name)
        #expect(tr(2, one: "1 item of {2}", other: "{1} items of {2}", name) == "2 items of \(name)")
    }

    @Test("What is no place, or has no argument, stays")
    func others() {
        #expect(tr("{1} and {3} and {", "x") == "x and {3} and {")
        #expect(
            tr("{0} {} {-1} {+1} {1 } {99999999999999999999}", "x") == "{0} {} {-1} {+1} {1 } {99999999999999999999}")
        #expect(tr("{\"path\":{1},\"all\":[{2}]} 100 % %1", "a", "b") == "{\"path\":a,\"all\":[b]} 100 % %1")
    }

    @Test("A number chooses the form of its sentence")
    func plurals() {
        let texts = [-1, 0, 1, 2].map { tr($0, one: "1 item of {2}", other: "{1} items of {2}", "x") }
        #expect(texts == ["-1 items of x", "0 items of x", "1 item of x", "2 items of x"])
        #expect(tr(UInt64.max, one: "{1}", other: "{1}s") == "18446744073709551615s")
    }
}

@Suite("Translations")
struct TranslatedTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func write(_ messages: [String: String], _ language: String, in place: String = "home") throws {
        try directory.write(MoFile(messages).bytes, to: "\(place)/locale/\(language)/LC_MESSAGES/roundel.mo")
    }

    /// The translation for an environment in which `home` is the person's directory, `prefix` that of the installation
    /// and `system` one of all programs.
    private func translation(_ variables: [String: String]) -> Translation {
        let places = ["XDG_DATA_HOME": directory["home"].string, "XDG_DATA_DIRS": directory["system"].string]
        return Translation(
            { name in (variables[name] ?? places[name]).map { Array($0.utf8) } }, installation: directory["prefix"])
    }

    private func word(_ variables: [String: String]) -> String { translation(variables).sentence("Yes", []) }

    @Test("A sentence is said in the language of the session, with its arguments in the order of that")
    func translated() throws {
        try write(
            [
                "{1} of {2}": "von {2}: {1}",
                "{1} item in {2}\0{1} items in {2}": "in {2} ein Objekt\0in {2} {1} Objekte",
            ], "de")
        let german = translation(["LANG": "de_AT.UTF-8"])
        #expect(german.sentence("{1} of {2}", ["1", "{1}"]) == "von {1}: 1")
        #expect(german.sentence(1, one: "{1} item in {2}", other: "{1} items in {2}", ["x"]) == "in x ein Objekt")
        #expect(german.sentence(3, one: "{1} item in {2}", other: "{1} items in {2}", ["x"]) == "in x 3 Objekte")
        #expect(german.sentence("Not translated: {1}", ["x"]) == "Not translated: x")
        #expect(german.sentence(2, one: "one", other: "{1}", []) == "2")
    }

    @Test("Nothing that a translation holds does more than stand there")
    func hostile() throws {
        try write(["Yes": "%s%n {1} {2} {3} {0} {-1} {", "One\0Other": "{7}\0{1}{1}"], "de")
        let german = translation(["LANG": "de"])
        #expect(german.sentence("Yes", ["a", "b"]) == "%s%n a b {3} {0} {-1} {")
        #expect(german.sentence(1, one: "One", other: "Other", []) == "{7}")
        #expect(german.sentence(2, one: "One", other: "Other", []) == "22")
    }

    private static let locales: [([String: String], String)] = [
        (["LANG": "de_DE.UTF-8"], "Ja"), (["LANG": "de"], "Ja"), (["LANG": "fr", "LC_MESSAGES": "de"], "Ja"),
        (["LANG": "de", "LC_MESSAGES": "", "LC_ALL": ""], "Ja"), (["LC_MESSAGES": "fr", "LC_ALL": "de"], "Ja"),
        (["LC_ALL": "C", "LANG": "de"], "Yes"), (["LANG": "C.UTF-8"], "Yes"), (["LANG": "POSIX"], "Yes"),
        (["LANG": "it"], "Yes"), (["LANG": "de_CH"], "Ja, gell"), (["LANG": "de_CH@alt"], "Jawohl"),
        (["LANG": "de_DE.UTF-8@alt"], "Jawohl"), (["LANG": "de_DE@alt"], "Jawohl"), ([:], "Yes"),
    ]

    @Test("The first of LC_ALL, LC_MESSAGES and LANG names the locale", arguments: locales)
    func locale(variables: [String: String], expected: String) throws {
        try write(["Yes": "Ja"], "de")
        try write(["Yes": "Oui"], "fr")
        try write(["Yes": "Ja, gell"], "de_CH")
        try write(["Yes": "Jawohl"], "de@alt")
        #expect(word(variables) == expected)
    }

    @Test(
        "LANGUAGE names several languages, unless the locale is that of C",
        arguments: [
            ("it:de:fr", "Ja"), ("fr:de", "Oui"), ("", "Oui"), ("C:de", "Yes"), ("it", "Yes"), (":de", "Ja"),
            ("en:de", "Yes"), ("en_US:de", "Yes"), ("en_GB:de", "Aye"), ("../home/locale/de", "Yes"),
        ])
    func languages(list: String, expected: String) throws {
        try write(["Yes": "Ja"], "de")
        try write(["Yes": "Oui"], "fr")
        try write(["Yes": "Aye"], "en_GB")
        try write(["Yes": "no language"], "en")
        #expect(word(["LANG": "fr_FR.UTF-8", "LANGUAGE": list]) == expected)
        #expect(word(["LANG": "C.UTF-8", "LANGUAGE": list]) == "Yes")
    }

    @Test("What one language lacks is said in the next; what a kind of English lacks is English")
    func fallback() throws {
        try write(["Yes": "Ja"], "de")
        try write(["Yes": "Oui", "No": "Non"], "fr")
        try write([:], "en_GB")
        #expect(translation(["LANG": "de", "LANGUAGE": "de:fr"]).sentence("No", []) == "Non")
        #expect(translation(["LANG": "de", "LANGUAGE": "en_GB:fr"]).sentence("No", []) == "No")
    }

    @Test("A person's own catalogue comes before that of the installation, and that before those of all programs")
    func directories() throws {
        try write(["Yes": "system"], "de", in: "system")
        #expect(word(["LANG": "de"]) == "system")
        try write(["Yes": "installation"], "de", in: "prefix/share")
        #expect(word(["LANG": "de"]) == "installation")
        try write(["Yes": "home"], "de", in: "home")
        #expect(word(["LANG": "de"]) == "home")
        try directory.write("no catalogue", to: "home/locale/de/LC_MESSAGES/roundel.mo")
        #expect(word(["LANG": "de"]) == "installation")
    }

    @Test(
        "Without another language than English, no file is looked for",
        arguments: ["", "C", "C.UTF-8", "en_US.UTF-8", "en"])
    func english(locale: String) {
        let translation = Translation(
            { name in
                #expect(!name.hasPrefix("XDG") && name != "HOME")
                return name == "LANG" ? Array(locale.utf8) : nil
            },
            installation: {
                Issue.record("The installation is looked for."); return nil
            }())
        #expect(translation.sentence("Yes", []) == "Yes")
    }
}
