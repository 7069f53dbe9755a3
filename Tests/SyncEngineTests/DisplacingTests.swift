import Dispatch
import Foundation
import Glibc
import SyncCore
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import SyncEngine

/// A conflict gives the name of an item to something else and sets the item beside it.
@Suite("A conflict leaves no moment without the name")
struct DisplacingTests {
    private let world: EndpointWorld
    private let aside = EntryName.constant("a (conflict)")

    init() throws {
        world = try EndpointWorld()
    }

    /// What comes in the place of "a".
    enum Kind: CaseIterable {
        case file, directory, item
    }

    private func newcomer(_ kind: Kind) async throws -> Newcomer {
        switch kind {
        case .file:
            try world.remoteFolder.write("theirs", to: "a")
            return .staged(try await world.stagedCopy("a", from: .remote))
        case .directory: return .directory
        case .item:
            try world.folder.write("theirs", to: "b")
            return .item(try world.item("b"))
        }
    }

    @Test("by a file, a directory, an item from elsewhere; a file and a directory give way", arguments: Kind.allCases)
    func displaced(by kind: Kind) async throws {
        for mine in ["a", "a/inside"] {
            try world.folder.write("mine", to: mine)
            let newcomer = try await newcomer(kind)
            let events = try DirectoryEvents(of: world.folder.path)
            let before = Set(try world.folder.names())
            let (here, old) = try world.local.displace(world.item("a"), aside: aside, by: newcomer)
            #expect(events.replayed(over: before).sorted() == ["a", "a (conflict)"])
            #expect(try world.folder.names() == ["a", "a (conflict)"])
            #expect(try here.tag == world.version(.local, "a").tag)
            #expect(try old.tag == world.version(.local, "a (conflict)").tag)
            #expect(try world.folder.read("a (conflict)" + mine.dropFirst()) == "mine")
            if kind != .directory { #expect(try world.folder.read("a") == "theirs") }
            #expect(try world.local.workspace().replaced().directory.names().isEmpty)
            for name in try world.folder.names() { try world.folder.remove(name) }
            if kind == .file { try world.remoteFolder.remove("a") }
        }
    }

    @Test("what a person writes into a newcomer that loses the name again is kept", arguments: [true, false])
    func writtenMeanwhile(isWritten: Bool) async throws {
        try world.remoteFolder.write("theirs", to: "a")
        let id = try await world.stagedCopy("a", from: .remote)
        let file = try #require(world.local.stagedFile(id))
        let path = RelativePath(text: "a")
        let store = try world.local.workspace().replaced()
        let slot = try store.announce(
            KeptNote(path, .replaced, placeholder: file.status.inode, beside: aside))
        // As it stands after the names were exchanged and exchanged back.
        try file.give(slot, in: store.directory)
        if isWritten {
            let written = try store.directory.open(slot, O_WRONLY | O_APPEND)
            try written.writeAll(Array(" and mine".utf8))
        }
        world.local.disk.replacement.takeBack(file, from: slot, of: store)
        if isWritten {
            #expect(try store.versions().map(\.path) == [path])
            #expect(try store.directory.open(slot, O_RDONLY).readAll(limit: 100) == Array("theirs and mine".utf8))
            #expect(world.local.stagedFile(id) == nil, "it is not what was staged any more")
            _ = try restarted()
            #expect(try world.folder.read("a (conflict)") == "theirs and mine", "the next start gives it a place")
        } else {
            #expect(try store.directory.names().isEmpty)
        }
    }

    @Test("a directory that was closed to others meanwhile is looked at again first", arguments: Kind.allCases)
    func closed(by kind: Kind) async throws {
        try world.folder.write("mine", to: "a/inside")
        let item = try world.item("a")
        let newcomer = try await newcomer(kind)
        #expect(chmod(world.folder.path.appending("a").string, 0o700) == 0)
        let failure = #expect(throws: EffectFailure.self) {
            _ = try world.local.displace(item, aside: aside, by: newcomer)
        }
        #expect(failure?.reason == .changed)
        #expect(try world.folder.read("a/inside") == "mine")
        #expect(try !world.folder.names().contains("a (conflict)"))
    }

    @Test("a name for the copy that is taken: everything is as it was", arguments: Kind.allCases)
    func taken(by kind: Kind) async throws {
        try world.folder.write("mine", to: "a")
        try world.folder.write("another", to: "a (conflict)")
        let newcomer = try await newcomer(kind)
        let events = try DirectoryEvents(of: world.folder.path)
        let before = try world.folder.names()
        let failure = #expect(throws: EffectFailure.self) {
            _ = try world.local.displace(world.item("a"), aside: aside, by: newcomer)
        }
        #expect(failure?.reason == .exists)
        #expect(events.replayed(over: Set(before)).sorted() == before)
        #expect(try world.folder.names() == before)
        #expect(try world.folder.read("a") == "mine")
        #expect(try world.local.workspace().replaced().directory.names().isEmpty)
    }

    /// Looks again and again whether a name is there.
    private final class Looker: Sendable {
        private let state = Mutex((isDone: false, missed: 0))

        var missed: Int { state.withLock { $0.missed } }

        func look(at path: String) {
            repeat {
                if access(path, F_OK) != 0 { state.withLock { $0.missed += 1 } }
            } while !state.withLock { $0.isDone }
        }

        func end() { state.withLock { $0.isDone = true } }
    }

    @Test("whoever looks all the time always finds it")
    func always() async throws {
        let path = world.folder.path.appending("a").string
        try world.folder.write("first", to: "a")
        let looker = Looker()
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) { looker.look(at: path) }
        for index in 0..<200 {
            try world.remoteFolder.write("\(index)", to: "a")
            let name = try #require(EntryName("a (\(index))"))
            let stage = try await world.stagedCopy("a", from: .remote)
            _ = try world.againWhileBusy { try world.local.displace(world.item("a"), aside: name, by: .staged(stage)) }
        }
        looker.end()
        group.wait()
        #expect(looker.missed == 0)
        #expect(try world.folder.names().count == 201)
    }

    /// The endpoint as the next start of the program opens it.
    private func restarted() throws -> Workspace {
        try LocalFolder(
            at: world.folder.path, stateDirectory: world.state.path, dataHome: world.data.path,
            owner: .constant("folder")
        ).workspace()
    }

    @Test("stopped before the names were exchanged: the newcomer goes, what is here stays", arguments: [true, false])
    func stoppedBefore(isDirectory: Bool) throws {
        try world.folder.write("mine", to: "a")
        let store = try world.local.workspace().replaced()
        try world.state.write("theirs", to: isDirectory ? "new/x" : "new")
        if isDirectory { try world.state.remove("new/x") }
        let new = try DirectoryHandle(absolute: world.state.path)
        let inode = try new.status(of: .constant("new")).inode
        let slot = try store.announce(
            KeptNote(RelativePath(text: "a"), .replaced, date: 1, placeholder: inode, beside: aside))
        try new.rename(.constant("new"), to: slot, in: store.directory)
        let workspace = try restarted()
        #expect(try workspace.replaced().directory.names().isEmpty)
        #expect(try world.folder.names() == ["a"])
    }

    @Test("stopped after it: what gave way is set beside", arguments: ["mine", "mine/inside"])
    func stoppedAfter(mine: String) throws {
        try world.folder.write("theirs", to: "d/a")
        try world.state.write("mine", to: mine)
        let store = try world.local.workspace().replaced()
        let slot = try store.announce(
            KeptNote(RelativePath(text: "d/a"), .replaced, date: 1, placeholder: 1, beside: aside))
        try DirectoryHandle(absolute: world.state.path).rename(.constant("mine"), to: slot, in: store.directory)
        let workspace = try restarted()
        #expect(try workspace.replaced().directory.names().isEmpty)
        #expect(try world.folder.names(in: "d") == ["a", "a (conflict)"])
        #expect(try world.folder.read("d/a (conflict)" + mine.dropFirst(4)) == "mine")
        #expect(try world.folder.read("d/a") == "theirs")
    }

    @Test("stopped after it, and its place is gone: it is kept")
    func placeGone() throws {
        try world.state.write("mine", to: "mine")
        let store = try world.local.workspace().replaced()
        let slot = try store.announce(
            KeptNote(
                RelativePath(text: "gone/a"), .replaced, placeholder: 1, beside: aside))
        try DirectoryHandle(absolute: world.state.path).rename(.constant("mine"), to: slot, in: store.directory)
        #expect(try restarted().replaced().versions().map(\.path) == [RelativePath(text: "gone/a")])
    }
}
