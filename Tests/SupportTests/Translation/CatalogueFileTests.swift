import TestSupport
import Testing

@testable import Support

@Suite("Catalogues of translations")
struct CatalogueFileTests {
    private static let messages = [
        "Up to date": "Aktuell", "Paused": "Pausiert", "No": "", "{1} item\0{1} items": "{1} Objekt\0{1} Objekte",
        "“{1}” is missing.": "„{1}“ fehlt.",
    ]

    private func translation(_ text: String, in catalogue: Catalogue) -> String? {
        Array(text.utf8).withUnsafeBufferPointer { catalogue.translation(of: $0) }
    }

    private func translation(_ text: String, for number: UInt64, in catalogue: Catalogue) -> String? {
        Array(text.utf8).withUnsafeBufferPointer { catalogue.translation(of: $0, for: number) }
    }

    @Test("A text has its translation, in either order of bytes", arguments: [false, true])
    func translations(isBigEndian: Bool) throws {
        var file = MoFile(Self.messages)
        file.isBigEndian = isBigEndian
        let catalogue = try #require(Catalogue(file.bytes))
        #expect(translation("Up to date", in: catalogue) == "Aktuell")
        #expect(translation("“{1}” is missing.", in: catalogue) == "„{1}“ fehlt.")
        #expect(translation("{1} item", for: 1, in: catalogue) == "{1} Objekt")
        #expect(translation("{1} item", for: 2, in: catalogue) == "{1} Objekte")
    }

    @Test(
        "What is not translated, or is by nothing, has no translation",
        arguments: ["No", "Up", "Up to date ", "z", "\0"])
    func missing(text: String) throws {
        let catalogue = try #require(Catalogue(MoFile(Self.messages).bytes))
        #expect(translation(text, in: catalogue) == nil && translation(text, for: 3, in: catalogue) == nil)
    }

    @Test("A form that a translation lacks is its first one")
    func fewForms() throws {
        var file = MoFile(["{1} item\0{1} items": "{1} Objekt"])
        file.plural = "nplurals=9; plural=n;"
        let catalogue = try #require(Catalogue(file.bytes))
        #expect(translation("{1} item", for: .max, in: catalogue) == "{1} Objekt")
    }

    @Test("What is no catalogue, or none in UTF-8, is not used")
    func unusable() {
        var latin = MoFile(Self.messages)
        latin.charset = "ISO-8859-1"
        var later = MoFile(Self.messages).bytes
        later[6] = 2
        var endless = MoFile(Self.messages).bytes
        endless.replaceSubrange(8..<12, with: [0xFF, 0xFF, 0xFF, 0xFF])
        for bytes in [[], [0xDE], Array("msgid".utf8), latin.bytes, later, endless] {
            #expect(Catalogue(bytes) == nil)
        }
    }

    @Test("Whatever a file holds, it is read without a fault")
    func damaged() throws {
        let samples = [false, true].map { isBigEndian in
            var file = MoFile(Self.messages)
            file.isBigEndian = isBigEndian
            return file.bytes
        }
        for sample in samples {
            for length in sample.indices { _ = Catalogue(Array(sample[..<length])) }
        }
        var mutator = ByteMutator(
            SeededRandom(for: "catalogues"), samples: samples,
            tokens: ["plural=n/0;", "plural=(((", "{99}", "%s%n", "\0"])
        var read = 0
        mutator.run(20_000) { _, bytes in
            guard let catalogue = Catalogue(bytes) else { return }
            read += 1
            for key in Self.messages.keys {
                _ = translation(key, in: catalogue)
                _ = translation(key, for: 5, in: catalogue)
            }
        }
        #expect(read > 1_000)
    }
}

@Suite("Rules for the form that goes with a number")
struct PluralRuleTests {
    @Test(
        "The rules of languages give their forms",
        arguments: [
            ("nplurals=1; plural=0;", [0, 0, 0, 0, 0, 0]),
            ("nplurals=2; plural=n != 1;", [1, 0, 1, 1, 1, 1]),
            ("nplurals=2; plural=(n > 1);", [0, 0, 1, 1, 1, 1]),
            (
                "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);",
                [2, 0, 1, 2, 2, 0]
            ),
            (
                "nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5);",
                [0, 1, 2, 3, 4, 4]
            ),
            ("nplurals=2; plural=!(n-1)*2+1-n/n", [1, 2, 0, 0, 0, 0]),
        ])
    func languages(field: String, forms: [Int]) throws {
        let rule = try #require(PluralRule(field))
        #expect(([0, 1, 2, 5, 11, 21] as [UInt64]).map(rule.form) == forms)
    }

    @Test("Operators bind as in C")
    func precedence() throws {
        for (expression, value) in [
            ("1+2*3", 7), ("10-2-3", 5), ("100/5/2", 10), ("1||0&&0", 1), ("2<1==0", 1), ("1+1<2+1", 1), ("!0+1", 2),
            ("0?1:0?2:3", 3), ("7%4", 3), ("2>=2&&3<=2", 0),
        ] {
            #expect(PluralRule("plural=\(expression);")?.form(for: 0) == value, "\(expression)")
        }
    }

    @Test("An expression that divides by 0 or overflows has a value all the same")
    func arithmetic() throws {
        for expression in ["n/0", "n%(n-n)", "1/n", "n-1", "n*18446744073709551615", "18446744073709551615+n"] {
            let rule = try #require(PluralRule("plural=\(expression)"))
            for number in [0, 1, 2, UInt64.max] { _ = rule.form(for: number) }
        }
        #expect(PluralRule("plural=n/0")?.form(for: 7) == 0)
    }

    @Test("What is no expression, or is nested without end, is not used")
    func unreadable() {
        let deep = 400
        for expression in [
            "", "n n", "(n", "n)", "n ?", "n ? 1", "n = 1", "m", "99999999999999999999", "+", "n +",
            String(repeating: "(", count: deep) + "n" + String(repeating: ")", count: deep),
            String(repeating: "!", count: deep) + "n", String(repeating: "n?", count: deep) + "n",
            String(repeating: "1+", count: 5_000) + "n",
        ] {
            #expect(PluralRule("nplurals=2; plural=\(expression);") == nil, "\(expression)")
        }
        #expect(PluralRule("") == nil && PluralRule("nplurals=2") == nil)
    }
}
