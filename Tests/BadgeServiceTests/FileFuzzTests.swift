import BadgeEngine
import Glibc
import RoundelBus
import Support
import SystemPackage
import TestSupport
import Testing

@testable import BadgeService

/// Files that a person, a disk or another program has damaged: they are read as far as they can be, and what was read
/// can be written.
@Suite struct FileFuzzTests {
    private static let tokens = [
        "[", "]", "=", ";", "\\", "\n", "\r\n", "\u{0}", "#", "[Provider]", "Folders=", "Enabled=false", "file:///",
        "%00",
        "é", "\u{2028}", "Name[de]=", "Rules=", "kinds=0,1", "min=4294967296", "BusName=a.b",
    ]

    private static func mutator(_ name: String, _ samples: [String]) -> ByteMutator {
        ByteMutator(SeededRandom(for: name), samples: samples.map { Array($0.utf8) }, tokens: tokens)
    }

    private static func write(_ bytes: [UInt8], to path: FilePath) throws {
        let file = try FileDescriptor.open(
            path, .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
        defer { try? file.close() }
        try file.writeAll(bytes)
    }

    @Test func aDamagedStateFileIsReadAsFarAsItCanBeAndWhatWasReadIsSavedWhole() throws {
        let scratch = try TemporaryDirectory()
        let file = StateFile(folder: scratch.path)
        var mutator = Self.mutator(
            "state file fuzz",
            [
                "[roundel]\nEnabled=true\nFolders=file:///home/a%20b;file:///x;\n\n[other]\nEnabled=false\nFolders=\n",
                "[a]\nFolders=file:///1;\n", "",
            ])
        var folders = 0
        try mutator.run(2000) { _, bytes in
            try Self.write(bytes, to: scratch.path.appending("providers"))
            let state = try file.load()
            folders += state.providers.values.reduce(0) { $0 + $1.folders.count }
            try file.save(state)
            #expect(try file.load() == state)
        }
        #expect(folders > 500)
    }

    @Test func aDamagedManifestGivesAProviderThatCanBeStartedOrNone() throws {
        let scratch = try TemporaryDirectory()
        let place = scratch.path.appending("roundel/providers")
        #expect(mkdir(scratch.path.appending("roundel").string, 0o700) == 0 && mkdir(place.string, 0o700) == 0)
        let folders = ManifestFolders(data: [scratch.path], locales: ["de_AT", "de"])
        var mutator = Self.mutator(
            "manifest fuzz",
            [
                "[Provider]\nName=My Sync\nName[de]=Abgleich\nIcon=folder\nBusName=org.example.Sync\nObjectPath=/x\n"
                    + "Rules=kinds=0,1; min=1; max=1; badges=conflict,error; directories=false\n"
            ])
        var usable = 0
        try mutator.run(2000) { _, bytes in
            try Self.write(bytes, to: place.appending("sync.provider"))
            let found = folders.load()
            #expect(found.manifests.count + found.problems.count == 1)
            for manifest in found.manifests {
                usable += 1
                #expect(ManifestFolders.isBusName(manifest.busName) && manifest.icon.isIconName)
            }
        }
        #expect(usable > 100)
    }
}
