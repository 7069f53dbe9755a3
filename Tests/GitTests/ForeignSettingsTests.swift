import Testing

@testable import Git

/// Which settings of a repository are overruled.
@Suite struct ForeignSettingsTests {
    private func settings(_ entries: (String, String)...) -> ForeignSettings {
        ForeignSettings(Array(entries.map { "\($0.0)\0\($0.1)\0" }.joined().utf8))
    }

    private func texts(_ settings: ForeignSettings) -> [String] {
        settings.overrides.map {
            String(decoding: $0.name, as: UTF8.self) + "=" + String(decoding: $0.value, as: UTF8.self)
        }
    }

    @Test("A filter that the repository alone names is not run, whatever its name holds")
    func own() {
        let found = settings(
            ("local", "filter.evil=x.clean\nrm -rf /"), ("worktree", "filter.w.process\nrun"),
            ("local", "filter.evil=x.required\ntrue"), ("local", "core.bare\nfalse"))
        #expect(
            texts(found) == ["filter.evil=x.clean=", "filter.evil=x.required=false", "filter.w.process="])
        #expect(found.hasOwnFilters)
        let bytes = ForeignSettings(Array("local\0filter.".utf8) + [0xFF] + Array(".clean\nx\0".utf8))
        #expect(bytes.overrides.first?.name == Array("filter.".utf8) + [0xFF] + Array(".clean".utf8))
    }

    @Test("A hook in the repository's settings is not run")
    func hooks() {
        let found = settings(
            ("local", "hook.b.c.command\nevil"), ("local", "hook.b.c.event\npost-index-change"),
            ("worktree", "hook.a.event\npre-commit"), ("global", "hook.mine.command\nmine"), ("local", "hook.jobs\n2"))
        #expect(texts(found) == ["hook.a.enabled=false", "hook.b.c.enabled=false"] && !found.hasOwnFilters)
    }

    @Test("A filter of the person's own settings runs as these say")
    func persons() {
        let lfs = settings(
            ("global", "filter.lfs.clean\ngit-lfs clean -- %f"), ("system", "filter.lfs.required\ntrue"))
        #expect(texts(lfs).isEmpty && !lfs.hasOwnFilters)
        let changed = settings(
            ("global", "filter.lfs.clean\ngit-lfs clean -- %f"), ("local", "filter.lfs.clean\nevil"))
        #expect(texts(changed) == ["filter.lfs.clean=git-lfs clean -- %f"] && changed.hasOwnFilters)
        let same = settings(("global", "filter.lfs.clean\na"), ("local", "filter.lfs.clean\na"))
        #expect(texts(same).isEmpty && !same.hasOwnFilters)
    }

    @Test(
        "A filter of the person's own settings does not run where the repository leads it to a program",
        arguments: [
            "lfs.extension.x.clean", "lfs.Extension.x.clean", "lfs.customtransfer.x.path",
            "lfs.standalonetransferagent", "lfs.https://x.standalonetransferagent", "credential.helper",
            "credential.https://x.helper",
        ])
    func led(name: String) {
        let person = [
            ("global", "filter.lfs.process\ngit-lfs filter-process"), ("global", "filter.lfs.required\ntrue"),
        ]
        let led = settings(person[0], person[1], ("local", "\(name)\nevil"))
        #expect(texts(led) == ["filter.lfs.process=", "filter.lfs.required=false"] && led.hasOwnFilters)
        let own = settings(person[0], person[1], ("global", "\(name)\nmine"))
        #expect(texts(own).isEmpty && !own.hasOwnFilters)
    }
}
