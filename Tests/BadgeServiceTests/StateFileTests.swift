import BadgeEngine
import Glibc
import RoundelBus
import Support
import SystemPackage
import TestSupport
import Testing

@testable import BadgeService

@Suite struct StateFileTests {
    @Test func whatWasSavedIsLoadedAgain() throws {
        let scratch = try TemporaryDirectory()
        let file = StateFile(folder: scratch.path.appending("deep").appending("roundel"))
        #expect(try file.load() == SavedState())
        let folders = [
            FolderOffer(folder: try ItemURI("file:///home/a%20b")), FolderOffer(folder: try ItemURI("file:///x")),
        ]
        let state = SavedState(providers: [
            try #require(ProviderID("roundel")): .init(enabled: true, folders: folders),
            try #require(ProviderID("other")): .init(enabled: false, folders: []),
            try #require(ProviderID("unsaid")): .init(enabled: nil, folders: folders),
        ])
        try file.save(state)
        #expect(try file.load() == state)
        try file.save(SavedState())
        #expect(try file.load() == SavedState())
    }

    private func folder(_ provider: String, _ uri: String) throws -> FolderNesting.Folder {
        FolderNesting.Folder(provider: try #require(ProviderID(provider)), folder: try ItemURI(uri))
    }

    @Test func whatWasAllowedAndInWhatOrderFoldersCameIsLoadedAgain() throws {
        let scratch = try TemporaryDirectory()
        let file = StateFile(folder: scratch.path)
        let place = try ItemURI("file:///x"), left = try ItemURI("file:///left%3B%20")
        let state = SavedState(
            providers: [
                try #require(ProviderID("a")): .init(
                    enabled: true, folders: [FolderOffer(folder: place)], ranks: [place: .max, left: 0])
            ],
            allowed: [
                FolderNesting(outer: try folder("a", "file:///x"), inner: try folder("b", "file:///x/y")),
                FolderNesting(outer: try folder("c", "file:///"), inner: try folder("a", "file:///x")),
            ])
        try file.save(state)
        #expect(try file.load() == state)
    }

    @Test func theFirstVersionAskedNobodyAndALaterOneAllowsWhatItSays() throws {
        let scratch = try TemporaryDirectory()
        let file = StateFile(folder: scratch.path)
        func load(_ text: String) throws -> SavedState {
            try SmallFile.replace(scratch.path.appending("providers"), with: Array(text.utf8))
            return try file.load()
        }
        let first = try load("[a]\nEnabled=true\nFolders=file:///x;\n")
        #expect(first.allowed == nil && first.providers.count == 1)
        let later = try load(
            "[Service]\nVersion=9\nNew=1\nAllowed=a file:///x b file:///x/y;\n[a]\nFolders=file:///x;\n")
        #expect(later.allowed?.count == 1 && later.providers.count == 1)
        #expect(try load("[Service]\n").allowed == [])
    }

    @Test func earlierVersionsDidNotAskAboutNewProviders() throws {
        let scratch = try TemporaryDirectory()
        func load(_ text: String) throws -> SavedState {
            try SmallFile.replace(scratch.path.appending("providers"), with: Array(text.utf8))
            return try StateFile(folder: scratch.path).load()
        }
        let id = try #require(ProviderID("a"))
        for (text, hasAsked, enabled) in [
            ("[a]\nEnabled=true\n", false, true), ("[Service]\nVersion=2\n[a]\nFolders=file:///x;\n", false, true),
            ("[Service]\nVersion=2\n[a]\nEnabled=false\n", false, false),
            ("[Service]\nVersion=3\n[a]\nFolders=file:///x;\n", true, nil),
            ("[Service]\nVersion=3\n[a]\nEnabled=perhaps\n", true, nil), ("[Service]\n[a]\n", true, nil),
        ] as [(String, Bool, Bool?)] {
            let state = try load(text)
            #expect(state.hasAsked == hasAsked, "\(text)")
            #expect(state.providers[id]?.enabled == enabled, "\(text)")
        }
        // What was saved before the manifests were known is read as before.
        try StateFile(folder: scratch.path).save(SavedState(hasAsked: false))
        #expect(try !StateFile(folder: scratch.path).load().hasAsked)
    }

    @Test(arguments: [
        "a file:///x a file:///x/y", "a file:///x b", "a file:///x b file:///x/y z", "A file:///x b file:///x/y",
        "a http://x b file:///x/y", "a file:///x b file:///x/..", "", "a  b ", "a\tfile:///x\tb\tfile:///x/y",
    ])
    func aDamagedConsentAllowsNothing(item: String) throws {
        let scratch = try TemporaryDirectory()
        let good = "a file:///good b file:///good/y"
        let text =
            "[Service]\nVersion=2\nAllowed=\(item);\(good);\n[a]\nOrder=x file:///x;-1 file:///y;7 file:///z;9;\n"
        try SmallFile.replace(scratch.path.appending("providers"), with: Array(text.utf8))
        let state = try StateFile(folder: scratch.path).load()
        let kept = FolderNesting(outer: try folder("a", "file:///good"), inner: try folder("b", "file:///good/y"))
        #expect(state.allowed == [kept])
        #expect(state.providers.values.map(\.ranks) == [[try ItemURI("file:///z"): 7]])
    }

    @Test func moreConsentsThanTheBoundAreNotRead() throws {
        let scratch = try TemporaryDirectory()
        let items = (0...Limits.consents).map { "a file:///x b file:///x/\($0);" }.joined()
        try SmallFile.replace(scratch.path.appending("providers"), with: Array("[Service]\nAllowed=\(items)\n".utf8))
        #expect(try StateFile(folder: scratch.path).load().allowed?.count ?? 0 <= Limits.consents)
        let long = String(repeating: "x", count: 4000)
        let many = (0..<300).map { "a file:///\(long) b file:///\(long)/\($0);" }.joined()
        try SmallFile.replace(scratch.path.appending("providers"), with: Array("[Service]\nAllowed=\(many)\n".utf8))
        #expect(try StateFile(folder: scratch.path).load().allowed == [])
    }

    @Test func whoReadsItMeanwhileReadsTheOldListOrTheNewOne() throws {
        let scratch = try TemporaryDirectory()
        let file = StateFile(folder: scratch.path)
        func state(_ count: Int) throws -> SavedState {
            let folders = try (0..<count).map { FolderOffer(folder: try ItemURI("file:///folder/\($0)")) }
            return SavedState(providers: [try #require(ProviderID("a")): .init(enabled: true, folders: folders)])
        }
        func text(_ reader: FileDescriptor) throws -> String {
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            let count = try bytes.withUnsafeMutableBytes { try reader.read(fromAbsoluteOffset: 0, into: $0) }
            return String(decoding: bytes[..<count], as: UTF8.self)
        }
        try file.save(try state(3))
        let reader = try FileDescriptor.open(scratch.path.appending("providers"), .readOnly)
        defer { try? reader.close() }
        let old = try text(reader)
        try file.save(try state(1))
        #expect(try text(reader) == old && old.contains("file:///folder/2"))
        #expect(try file.load() == state(1))
    }

    @Test func anUnwritableFolderIsAnErrorAndNotACrash() {
        let file = StateFile(folder: "/proc/none/roundel")
        #expect(throws: StateFile.Failure.self) { try file.save(SavedState()) }
    }

    @Test func whatCannotBeReadIsSetAsideAndNeverOverwritten() throws {
        let scratch = try TemporaryDirectory()
        let file = StateFile(folder: scratch.path)
        let path = scratch.path.appending("providers").string
        let state = SavedState(providers: [try #require(ProviderID("a")): .init(enabled: false, folders: [])])
        for number in 1...3 {
            // Too large, and a directory in its place: neither can be read.
            if number == 2 {
                #expect(mkdir(path, 0o755) == 0)
            } else {
                let made = try FileDescriptor.open(
                    FilePath(path), .writeOnly, options: .create, permissions: .ownerReadWrite)
                #expect(ftruncate(made.rawValue, 33 << 20) == 0)
                try made.close()
            }
            let failure = #expect(throws: StateFile.Failure.self) { try file.load() }
            #expect(failure?.sentence.contains("providers.unreadable-\(number)") == true)
            #expect(access("\(path).unreadable-\(number)", F_OK) == 0)
            #expect(try file.load() == SavedState())
        }
        try file.save(state)
        #expect(try file.load() == state)
        var status = stat()
        #expect(lstat("\(path).unreadable-1", &status) == 0 && status.st_size == 33 << 20)
    }

    @Test func asMuchAsTheLimitsAllowIsReadAgain() throws {
        let scratch = try TemporaryDirectory()
        let file = StateFile(folder: scratch.path)
        let long = String(repeating: "x", count: 200)
        var state = SavedState()
        for number in 0..<Limits.strangers {
            let folders = try (0..<Limits.foldersPerProvider).map {
                FolderOffer(folder: try ItemURI("file:///\(long)/\($0)"))
            }
            state.providers[try #require(ProviderID("p\(number)"))] = .init(enabled: true, folders: folders)
        }
        try file.save(state)
        #expect(try file.load() == state)
    }
}

@Suite struct ManifestTests {
    private func write(_ text: String, _ path: FilePath) throws {
        try SmallFile.replace(path, with: Array(text.utf8))
    }

    @Test func theFirstFolderWinsAndABadManifestIsNamed() throws {
        let home = try TemporaryDirectory(), system = try TemporaryDirectory()
        func place(_ folder: TemporaryDirectory, _ name: String) -> FilePath {
            folder.path.appending("roundel").appending("providers").appending(name)
        }
        try write("[Provider]\nName=Mine\nBusName=org.a.B\n", place(home, "a.provider"))
        try write("[Provider]\nName=Theirs\nBusName=org.a.C\n", place(system, "a.provider"))
        try write(
            """
            [Provider]
            Name=Second
            Name[de]=Zweiter
            Description=Comes after the first
            Description[de]=Kommt nach dem ersten
            BusName=org.b.B
            Icon=i
            ObjectPath=/x
            Rules=min=1

            """,
            place(system, "b.provider"))
        try write("[Provider]\nName=No bus\n", place(system, "c.provider"))
        try write("[Provider]\nBusName=org.d.D\n", place(system, "D.provider"))
        let (manifests, problems) = ManifestFolders(data: [home.path, system.path], locales: ["de"]).load()
        #expect(manifests.map(\.name).sorted() == ["Mine", "Zweiter"])
        #expect(manifests.map(\.summary).sorted() == ["", "Kommt nach dem ersten"])
        #expect(manifests.first { $0.id.rawValue == "b" }?.rules == MenuRules(min: 1))
        #expect(problems.count == 2)
    }

    @Test(
        "The services of a manifest are at its object",
        arguments: [
            ("Services=org.a.X;org.a.Y;\nObjectPath=/a", ["org.a.X": "/a", "org.a.Y": "/a"]),
            ("ObjectPath=/a", [:]), ("Services=org.a.X;", nil), ("Services=org.a.X;\nObjectPath=a", nil),
            ("Services=org;\nObjectPath=/a", nil), ("Services=org.a-b.X\nObjectPath=/a", nil),
        ] as [(String, [String: String]?)])
    func services(lines: String, expected: [String: String]?) throws {
        let home = try TemporaryDirectory()
        try write(
            "[Provider]\nBusName=org.a.B\n\(lines)\n",
            home.path.appending("roundel").appending("providers").appending("a.provider"))
        let (manifests, problems) = ManifestFolders(data: [home.path], locales: []).load()
        #expect(manifests.first?.services == expected && problems.isEmpty == (expected != nil))
    }

    @Test(
        "E8: whoever has a manifest is asked about, but for the bundled worker and what waits to be turned on",
        arguments: [
            ("a", "org.a.B", "", .asks), ("a", "org.a.B", "Enabled=true", .asks),
            ("a", "org.a.B", "Enabled=false", .off),
            ("roundel", "org.roundel.SyncWorker1", "", .on), ("roundel", "org.a.B", "", .asks),
            ("a", "org.roundel.SyncWorker1", "", .asks), ("roundel", "org.roundel.SyncWorker1", "Enabled=false", .off),
        ] as [(String, String, String, Manifest.Beginning)])
    func beginning(id: String, busName: String, line: String, expected: Manifest.Beginning) throws {
        let home = try TemporaryDirectory()
        try write(
            "[Provider]\nBusName=\(busName)\n\(line)\n",
            home.path.appending("roundel").appending("providers").appending("\(id).provider"))
        #expect(ManifestFolders(data: [home.path], locales: []).load().manifests.map(\.beginning) == [expected])
    }

    @Test func anUnusableManifestOfThePersonMasksTheSystems() throws {
        let home = try TemporaryDirectory(), system = try TemporaryDirectory()
        for (folder, text) in [(home, ""), (system, "[Provider]\nName=Theirs\nBusName=org.a.C\n")] {
            try write(text, folder.path.appending("roundel").appending("providers").appending("a.provider"))
        }
        let (manifests, problems) = ManifestFolders(data: [home.path, system.path], locales: []).load()
        #expect(manifests.isEmpty && problems.count == 1)
    }

    @Test(arguments: ["org.a", "a.b.c-d", "_x.y"]) func busNamesAreAccepted(name: String) {
        #expect(ManifestFolders.isBusName(name))
    }

    @Test(arguments: ["", "a", ":1.2", "a..b", "a.1b", "a.b/c"]) func otherNamesAreRefused(name: String) {
        #expect(!ManifestFolders.isBusName(name))
    }
}
