import Foundation
import SyncCore
import TestSupport
import Testing

@testable import SyncEngine

/// A file manager removes what it is told went and shows what it is told came. What stays must be told last to have come.
@Suite("Whoever watches a directory ends up knowing what is in it")
struct KnownNameTests {
    private let world: EndpointWorld

    init() throws {
        world = try EndpointWorld()
    }

    /// What watchers of the folder know after `body`, if they knew all that was in it before; it must be what is there.
    private func known(after body: () async throws -> Void) async throws -> [String] {
        let events = try DirectoryEvents(of: world.folder.path)
        let before = Set(try world.folder.names())
        try await body()
        let known = events.replayed(over: before).sorted()
        #expect(try known == world.folder.names())
        return known
    }

    @Test("a version from the remote replaces the one here")
    func replaced() async throws {
        try world.folder.write("old", to: "a")
        try world.remoteFolder.write("new", to: "a")
        let names = try await known { try await world.copy("a", from: .remote, replacing: world.version(.local, "a")) }
        #expect(names == ["a"])
        #expect(try world.folder.read("a") == "new")
    }

    @Test("a decision puts one file in the place of the other")
    func decided() async throws {
        try world.folder.write("theirs", to: "a")
        try world.folder.write("mine", to: "a (conflict)")
        let names = try await known { _ = try world.local.replace(world.item("a"), with: world.item("a (conflict)")) }
        #expect(names == ["a"])
        #expect(try world.folder.read("a") == "mine")
    }

    @Test("a decision puts a directory in the place of a file, or the other way", arguments: [true, false])
    func decidedOfType(isDirectory: Bool) async throws {
        try world.folder.write("theirs", to: isDirectory ? "a" : "a/inside")
        try world.folder.write("mine", to: isDirectory ? "a (conflict)/inside" : "a (conflict)")
        let names = try await known { _ = try world.local.replace(world.item("a"), with: world.item("a (conflict)")) }
        #expect(names == ["a"])
        #expect(try world.folder.read(isDirectory ? "a/inside" : "a") == "mine")
    }

    @Test("a decision that is taken back half-way leaves both", arguments: [true, false])
    func takenBack(isDirectory: Bool) async throws {
        try world.folder.write("theirs", to: "a")
        try world.folder.write("mine", to: isDirectory ? "b/inside" : "b")
        if isDirectory {
            _ = try world.local.workspace().trash
            try world.data.remove("Trash/info")
        } else {
            let store = try world.local.workspace().area()
            withExtendedLifetime(store) {}
            try world.state.remove("replaced")
        }
        let names = try await known {
            #expect(throws: EffectFailure.self) {
                _ = try world.local.replace(world.item("a"), with: world.item("b"))
            }
        }
        #expect(names == ["a", "b"])
        #expect(try world.folder.read("a") == "theirs")
        #expect(try world.folder.read(isDirectory ? "b/inside" : "b") == "mine")
    }

    @Test("without a trash a decision that needs one changes nothing")
    func withoutTrash() throws {
        try world.folder.write("theirs", to: "a")
        try world.folder.write("mine", to: "b/inside")
        try world.data.write("in the way", to: "file")
        let other = LocalFolder(
            at: world.folder.path, stateDirectory: world.state.path, dataHome: world.data["file"],
            owner: .constant("other"))
        let before = try world.local.entry(RelativePath(text: "a"), in: .none)
        let failure = #expect(throws: EffectFailure.self) {
            _ = try other.replace(world.item("a"), with: world.item("b"))
        }
        #expect(failure?.reason == .denied)
        #expect(try world.local.entry(RelativePath(text: "a"), in: .none) == before)
    }
}
