import Testing

@testable import BadgeService

@Suite struct KeyFileTests {
    @Test func groupsKeysAndCommentsAreRead() {
        let file = KeyFile(
            parsing: "# note\n[Provider]\n Name = My Sync \r\nBusName=org.example.Sync\n[Other]\nName=x\n")
        #expect(file.string("Name", in: "Provider") == "My Sync")
        #expect(file.string("BusName", in: "Provider") == "org.example.Sync")
        #expect(file.string("Name", in: "Other") == "x")
        #expect(file.string("Name", in: "Absent") == nil)
    }

    @Test func escapesAreResolved() {
        let file = KeyFile(parsing: #"[G]"# + "\n" + #"K=a\sb\nc\\d"#)
        #expect(file.string("K", in: "G") == "a b\nc\\d")
    }

    @Test func linesThatAreNeitherAreSkipped() {
        let file = KeyFile(parsing: "Orphan=1\n[G]\nnonsense\n=empty\nK=v")
        #expect(file.string("K", in: "G") == "v")
        #expect(file.string("Orphan", in: "G") == nil)
    }

    @Test func theBestLocaleWinsAndThePlainKeyIsTheFallback() {
        let file = KeyFile(parsing: "[G]\nName=Sync\nName[de]=Abgleich\nIcon=x")
        #expect(file.localized("Name", in: "G", locales: ["de_AT", "de"]) == "Abgleich")
        #expect(file.localized("Name", in: "G", locales: ["fr"]) == "Sync")
    }

    @Test func listsEndInSemicolons() {
        #expect(KeyFile(parsing: "[G]\nL=a;b;;c").list("L", in: "G") == ["a", "b", "c"])
    }
}
