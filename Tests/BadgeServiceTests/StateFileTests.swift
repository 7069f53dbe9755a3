import BadgeCore
import Glibc
import SystemPackage
import Testing

@testable import BadgeService

/// A folder that is gone again when the test is over.
final class ScratchFolder {
    let path: FilePath

    init() {
        var template = Array("/tmp/roundel-test-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
        path = FilePath(made)
    }

    deinit { remove(path) }

    private func remove(_ path: FilePath) {
        if let stream = opendir(path.string) {
            while let entry = readdir(stream) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if name != "." && name != ".." { remove(path.appending(name)) }
            }
            closedir(stream)
            rmdir(path.string)
        } else {
            unlink(path.string)
        }
    }
}

@Suite struct StateFileTests {
    @Test func whatWasSavedIsLoadedAgain() throws {
        let scratch = ScratchFolder()
        let file = StateFile(folder: scratch.path.appending("deep").appending("roundel"))
        #expect(file.load() == SavedState())
        let folders = [
            FolderOffer(folder: try ItemURI("file:///home/a%20b")), FolderOffer(folder: try ItemURI("file:///x")),
        ]
        let state = SavedState(providers: [
            try #require(ProviderID("roundel")): .init(enabled: true, folders: folders),
            try #require(ProviderID("other")): .init(enabled: false, folders: []),
        ])
        try file.save(state)
        #expect(file.load() == state)
        try file.save(SavedState())
        #expect(file.load() == SavedState())
    }

    @Test func anUnwritableFolderIsAnErrorAndNotACrash() {
        let file = StateFile(folder: "/proc/none/roundel")
        #expect(throws: Errno.self) { try file.save(SavedState()) }
    }
}

@Suite struct ManifestTests {
    private func write(_ text: String, _ path: FilePath) throws {
        try SmallFile.replace(path, with: text)
    }

    @Test func theFirstFolderWinsAndABadManifestIsNamed() throws {
        let home = ScratchFolder(), system = ScratchFolder()
        func place(_ folder: ScratchFolder, _ name: String) -> FilePath {
            folder.path.appending("roundel").appending("providers").appending(name)
        }
        try write("[Provider]\nName=Mine\nBusName=org.a.B\n", place(home, "a.provider"))
        try write("[Provider]\nName=Theirs\nBusName=org.a.C\n", place(system, "a.provider"))
        try write(
            "[Provider]\nName=Second\nName[de]=Zweiter\nBusName=org.b.B\nIcon=i\nObjectPath=/x\nRules=min=1\n",
            place(system, "b.provider"))
        try write("[Provider]\nName=No bus\n", place(system, "c.provider"))
        try write("[Provider]\nBusName=org.d.D\n", place(system, "D.provider"))
        let (manifests, problems) = ManifestFolders(data: [home.path, system.path], locales: ["de"]).load()
        #expect(manifests.map(\.name).sorted() == ["Mine", "Zweiter"])
        #expect(manifests.first { $0.id.rawValue == "b" }?.rules == MenuRules(min: 1))
        #expect(problems.count == 2)
    }

    @Test(arguments: ["org.a", "a.b.c-d", "_x.y"]) func busNamesAreAccepted(name: String) {
        #expect(ManifestFolders.isBusName(name))
    }

    @Test(arguments: ["", "a", ":1.2", "a..b", "a.1b", "a.b/c"]) func otherNamesAreRefused(name: String) {
        #expect(!ManifestFolders.isBusName(name))
    }
}

@Suite struct ActivationBackOffTests {
    private let second: UInt64 = 1_000_000_000

    @Test func theDelayDoublesUpToFiveMinutes() {
        var backOff = ActivationBackOff()
        var delays: [UInt64] = []
        for _ in 0..<11 { delays.append(backOff.stopped(at: 0) / second) }
        #expect(delays == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
    }

    @Test func aProviderThatLivedForAMinuteBeginsAnew() {
        var backOff = ActivationBackOff()
        for _ in 0..<5 { _ = backOff.stopped(at: 0) }
        backOff.started(at: 100 * second)
        #expect(backOff.stopped(at: 120 * second) == 152 * second)
        backOff.started(at: 200 * second)
        #expect(backOff.stopped(at: 260 * second) == 261 * second)
    }
}
