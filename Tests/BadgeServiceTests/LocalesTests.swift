import RoundelBus
import Testing

@testable import BadgeService

@Suite struct LocalesTests {
    @Test(arguments: [
        ("de_AT.UTF-8@euro", ["de_AT@euro", "de_AT", "de@euro", "de"]),
        ("fr_FR.UTF-8", ["fr_FR", "fr"]), ("pt", ["pt"]), ("C.UTF-8", []), ("POSIX", []), ("", []),
    ])
    func localesAreTriedInTheOrderOfTheSpecification(value: String, expected: [String]) {
        #expect(Locales.preferred { $0 == "LANG" ? value : nil } == expected)
    }

    @Test("LANGUAGE names languages one after the other, except in the locale C; what follows English is not tried")
    func languages() {
        func preferred(_ variables: [String: String]) -> [String] { Locales.preferred { variables[$0] } }
        #expect(preferred(["LANGUAGE": "de_AT:de:fr", "LANG": "en_US.UTF-8"]) == ["de_AT", "de", "fr"])
        #expect(preferred(["LANGUAGE": "de:en_GB:fr", "LANG": "it_IT"]) == ["de", "en_GB", "en"])
        #expect(preferred(["LANGUAGE": "de:C:fr", "LC_ALL": "it_IT"]) == ["de"])
        #expect(preferred(["LANGUAGE": "", "LC_MESSAGES": "it_IT", "LANG": "de_DE"]) == ["it_IT", "it"])
        for locale in ["C", "POSIX", "C.UTF-8"] { #expect(preferred(["LANGUAGE": "de", "LC_ALL": locale]) == []) }
        #expect(preferred(["LANGUAGE": "de"]) == [])
    }

    @Test(arguments: [
        (["de_AT", "de"], "Marille"), (["de_DE", "de"], "Aprikose"), (["fr"], "Apricot"), ([], "Apricot"),
        (["es"], "Apricot"), (["es", "de"], "Aprikose"),
    ])
    func aBadgeHasItsLabelInTheBestLocale(locales: [String], expected: String) {
        let labels = [
            "de": ["x.apricot": "Aprikose", "x.plum": "Pflaume"], "de_AT": ["x.apricot": "Marille"],
            "es": ["x.apricot": ""], "fr": ["x.plum": "Prune"],
        ]
        let image = BadgeImage(badge: Badge("x.apricot"), label: "Apricot", icon: "fruit")
        let expected = BadgeImage(badge: image.badge, label: expected, icon: "fruit")
        #expect(image.labelled(labels, in: locales) == expected)
    }
}
