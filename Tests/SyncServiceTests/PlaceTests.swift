import Glibc
import Remotes
import RoundelBus
import SyncCore
import SyncEngine
import SystemPackage
import TestSupport
import Testing

@testable import SyncService

@Suite("Places of items and remotes")
struct PlaceTests {
    static func uri(_ path: String) -> ItemURI { (try? ItemURI("file://" + path)) ?? .root }

    @Test(
        "A directory is a remote, as a path or a URI",
        arguments: [
            ("/mnt/share", "file:///mnt/share"), ("file:///mnt/share", "file:///mnt/share"), ("/", "file:///"),
            ("file://localhost/a%20b", "file:///a%20b"), ("/ä b", "file:///%C3%A4%20b"),
        ])
    func directories(text: String, uri: String) throws {
        #expect(try RemoteKinds.unused.place(text).uri == uri)
    }

    @Test("A URI gives the bytes of the path, whatever they are")
    func hostileRemote() throws {
        let path = try #require(try RemoteKinds.unused.place("file:///%FF%0A").directory)
        #expect(
            path.withPlatformString { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) } == [
                0x2F, 0xFF, 0x0A,
            ])
    }

    @Test("What is no remote is refused; each refusal quotes what was given")
    func refusals() {
        let cases: [(String, WorkerError.Code)] = [
            ("", .invalidRemote),
            ("relative/dir", .invalidRemote), ("~/dir", .invalidRemote), ("https://x/y", .invalidRemote),
            ("file:", .invalidRemote), ("file://host/x", .invalidRemote), ("file:///a/../b", .invalidRemote),
            ("file:///%00", .invalidRemote), ("host:/dir", .invalidRemote),
        ]
        for (text, code) in cases {
            do {
                _ = try RemoteKinds.unused.place(text)
                Issue.record("“\(text)” was accepted")
            } catch {
                #expect(error.code == code, "“\(text)”")
                #expect(error.message.contains("“\(text)”"))
            }
        }
    }

    @Test("What is no remote is told how each kind of them is written")
    func forms() {
        let error = #expect(throws: WorkerError.self) { try RemoteKinds.unused.place("host:/dir") }
        let words = """
            “host:/dir” is not a remote; use a directory, /dir or file:///dir, or webdav+https://…, or rclone:NAME:PATH.
            """
        #expect(error?.message == words)
    }

    @Test("Names of any bytes go to the trees and back unchanged")
    func hostileNames() throws {
        var random = SeededRandom(for: "PlaceTests")
        let seed = random.seed
        for folder in [Self.uri("/home/Cl%FFoud"), .root] {
            for _ in 0..<500 {
                let names = (0..<Int.random(in: 0..<5, using: &random)).compactMap { _ in
                    EntryName(
                        (0...Int.random(in: 0..<12, using: &random)).map { _ in
                            .random(in: .min ... .max, using: &random)
                        })
                }
                let path = RelativePath(names)
                let item = try #require(path.uri(below: folder))
                #expect(RelativePath(item, below: folder) == path, "seed \(seed): \(item)")
                #expect(try ItemURI(item.uri) == item, "seed \(seed): \(item)")
            }
        }
    }

    @Test("Directories overlap that are one or hold each other, also where the table of mounts cannot be read")
    func overlap() throws {
        let files = try TemporaryDirectory()
        for name in ["a/b", "ab"] { try files.makeDirectory(name) }
        try files.makeLink("link", to: "a")
        for mounts in [[], MountedPlaces.mounts()] {
            let (outer, inner) = (Territory(files["a"], mounts), Territory(files["link/b"], mounts))
            let beside = Territory(files["ab"], mounts)
            #expect(outer.overlaps(inner) && inner.overlaps(outer) && outer.overlaps(outer))
            #expect(!outer.overlaps(beside) && !beside.overlaps(outer) && !inner.overlaps(beside))
        }
    }

    @Test("What is beside a folder is not in it, by component")
    func outside() {
        let folder = Self.uri("/home/Cloud")
        #expect(RelativePath(Self.uri("/home/Cloud2"), below: folder) == nil)
        #expect(RelativePath(Self.uri("/home"), below: folder) == nil)
        #expect(RelativePath(Self.uri("/home/cloud/a"), below: folder) == nil)
        #expect(RelativePath(folder, below: folder) == .root)
    }

    @Test("Only a path that is too long for a URI has none")
    func tooLong() throws {
        let folder = Self.uri("/home")
        let plain = EntryName([UInt8](repeating: 0x61, count: 255))
        let escaped = EntryName([UInt8](repeating: 0xFF, count: 255))
        for name in [plain, escaped] {
            let name = try #require(name)
            let short = try #require(RelativePath(Array(repeating: name, count: 15)).uri(below: folder))
            #expect(try ItemURI(short.uri) == short)
            #expect(RelativePath(Array(repeating: name, count: 16)).uri(below: folder) == nil)
        }
    }
}
