import DBus
import Glibc
import StandInServices
import SystemPackage
import TestSupport
import Testing

@testable import roundel

/// The verbs that speak the Host interface, with a service that the test plays. One after the other, because each
/// waits for a program.
@Suite(.serialized) struct HostVerbTests {
    let bus: PrivateBus
    let directory: TemporaryDirectory
    let folder: String
    let host: StandInHost

    init() async throws {
        bus = try PrivateBus()
        directory = try TemporaryDirectory()
        try directory.makeDirectory("sync")
        folder = "file://\(directory.path)/sync"
        host = try await StandInHost(on: bus, folder: folder)
    }

    func roundel(_ arguments: String...) throws -> RunningProgram.Outcome {
        try Program.run(arguments, directory: directory.path.string, environment: bus.environment)
    }

    @Test func badgeAnswersForEachPathInItsOrder() throws {
        host.set(.init(badge: "synced"), of: "b", in: folder)
        host.set(.init(badge: "syncing", flags: 1, progress: 45), of: "a", in: folder)
        let badges = try roundel("badge", "--json", "sync/b", "sync/a", "/elsewhere", "/")
        #expect(badges.status == 0)
        let path = directory.path
        #expect(
            badges.output
                == #"[{"uri":"\#(folder)/b","path":"\#(path)/sync/b","badge":"synced","label":"In step","progress":null,"flags":[]},"#
                + #"{"uri":"\#(folder)/a","path":"\#(path)/sync/a","badge":"syncing","label":"Syncing","progress":45,"flags":["pinned"]},"#
                + #"{"uri":"file:///elsewhere","path":"/elsewhere","badge":"","label":"","progress":null,"flags":[]},"#
                + #"{"uri":"file:///","path":"/","badge":"","label":"","progress":null,"flags":[]}]"# + "\n")
        #expect(host.asked.contains("RequestBadges \(folder) a b"))
    }

    @Test func aNameOfAnyBytesIsAskedByItsBytes() throws {
        host.set(.init(badge: "synced"), of: "a%FF%0Ab", in: folder)
        let name = Array("sync/a".utf8) + [0xFF, 0x0A] + Array("b".utf8)
        let badges = try Program.run(
            bytes: [Array("badge".utf8), name], directory: directory.path.string, environment: bus.environment)
        #expect(badges.status == 0)
        #expect(badges.output == "synced  \(directory.path)/sync/a\\xFF\\nb\n")
    }

    @Test func aBadgeThatComesLateIsWaitedForALittle() throws {
        host.set(.init(badge: "pending", isLate: true), of: "late", in: folder)
        let badges = try roundel("badge", "sync/late")
        #expect(badges.output == "pending  \(directory.path)/sync/late\n")
    }

    @Test func watchPrintsALineForEachChangeUntilItIsEnded() async throws {
        host.set(.init(badge: "pending"), of: "a", in: folder)
        let program = try Program.start(
            ["badge", "--watch", "sync/a"].map { Array($0.utf8) }, directory: directory.path.string,
            environment: bus.environment)
        let path = "\(directory.path)/sync/a"
        #expect(try program.line() == "pending  \(path)")
        try await host.change(.init(badge: "syncing", progress: 10), of: "a", in: folder)
        #expect(try program.line() == "syncing  10 %  \(path)")
        try await host.change(.init(badge: "synced"), of: "other", in: folder)
        try await host.change(.init(badge: "synced"), of: "a", in: folder)
        #expect(try program.line() == "synced  \(path)")
        try await host.change(.init(badge: ""), of: "a", in: folder)
        #expect(try program.line() == "none  \(path)")
        #expect(try program.end(with: SIGINT) == 0)
    }

    @Test func watchBeginsWithTheBadgeThatComesLate() throws {
        host.set(.init(badge: "pending", isLate: true), of: "late", in: folder)
        let program = try Program.start(
            ["badge", "--watch", "sync/late"].map { Array($0.utf8) }, directory: directory.path.string,
            environment: bus.environment)
        #expect(try program.line() == "pending  \(directory.path)/sync/late")
        #expect(try program.end(with: SIGTERM) == 0)
    }

    @Test func watchGoesOnWithTheNextOwnerOfTheService() async throws {
        host.set(.init(badge: "synced"), of: "a", in: folder)
        let program = try Program.start(
            ["badge", "--watch", "--json", "sync/a"].map { Array($0.utf8) }, directory: directory.path.string,
            environment: bus.environment)
        #expect(try program.line().contains(#""badge":"synced""#))
        await host.connection.close()
        #expect(try program.line().contains(#""badge":"""#))
        let next = try await StandInHost(on: bus, folder: folder)
        next.set(.init(badge: "error"), of: "a", in: folder)
        var line = ""
        repeat {
            while next.asked.isEmpty { await Task.yield() }
            try await next.change(.init(badge: "error", progress: 1), of: "a", in: folder)
            line = try program.line()
        } while !line.contains(#""badge":"error""#)
        #expect(try program.end(with: SIGTERM) == 0)
    }

    @Test func lsListsWhatIsOnDiskAndWhatIsToCome() throws {
        try directory.file(Array("sync/file2".utf8), size: 1500)
        try directory.file(Array("sync/file10".utf8))
        try directory.file(Array("sync/".utf8) + [0xFF])
        try directory.makeDirectory("sync/dir")
        for name in ["file2", "file10", "dir", "%FF"] { host.set(.init(badge: "synced"), of: name, in: folder) }
        host.set(.init(badge: "pending"), of: "coming", in: folder)
        let listing = try roundel("ls", "sync")
        #expect(listing.status == 0)
        let names = listing.output.split(separator: "\n").map { $0.split(separator: " ").last ?? "" }
        #expect(names == ["dir/", "coming", "file2", "file10", "\\xFF"])
        let json = try roundel("ls", "--json", folder)
        #expect(
            json.output.contains(
                #""badge":"synced","label":"In step","progress":null,"flags":[],"name":"file2","kind":"file","size":1500"#
            ))
    }

    @Test func lsWorksOutsideMonitoredFoldersAndNamesAFolderThatIsNotThere() throws {
        try directory.makeDirectory("plain")
        try directory.file(Array("plain/x".utf8), size: 1)
        let listing = try roundel("ls", "plain")
        #expect(listing.status == 0 && listing.output == "none  1 byte  x\n")
        let missing = try roundel("ls", "nowhere")
        #expect(missing.status == 1)
        #expect(missing.errors.contains("/nowhere” cannot be listed: there is no such file or directory"))
    }

    @Test func menusArePrintedForWhatAFileManagerWouldAsk() throws {
        let menu = try roundel("menu", "items", "sync/a", "sync/b")
        #expect(
            menu.output == "Item of 0         p/0\n────\nMore\n  Off (disabled)  p/off\n")
        #expect(host.asked.contains("GetMenu 0 \(folder) \(folder)/a \(folder)/b"))
        _ = try roundel("menu", "toolbar")
        #expect(host.asked.contains("GetMenu 3  "))
        let json = try roundel("menu", "--json", "container", "sync")
        #expect(host.asked.contains("GetMenu 1 \(folder) "))
        #expect(
            json.output.contains(
                #"{"type":"item","id":"p/1","label":"Item of 1","icon":"","enabled":true,"checked":null,"children":[]}"#
            ))
    }

    @Test func anActionReportsItsEnd() throws {
        let done = try roundel("do", "p/0", "sync/a", "--json")
        #expect(done.status == 0)
        #expect(done.output == #"{"id":"p/0","outcome":"done","message":""}"# + "\n")
        let copied = try roundel("do", "p/2", "sync")
        #expect(copied.status == 0 && copied.output == "https://x.org/s/1\n")
        let copiedJSON = try roundel("do", "p/2", "sync", "--json")
        #expect(
            copiedJSON.output
                == #"{"id":"p/2","outcome":"done","message":"","clipboard":"https://x.org/s/1"}"# + "\n")
        let cancelled = try roundel("do", "p/1", "sync/a")
        #expect(cancelled.status == 1 && cancelled.errors == "roundel: Called off.\n")
        let failed = try roundel("do", "p/3")
        #expect(failed.status == 1 && failed.errors == "roundel: It broke.\n")
        let disabled = try roundel("do", "p/off", "sync/a")
        #expect(disabled.status == 1 && disabled.errors.contains("cannot be chosen"))
        let unknown = try roundel("do", "p/none", "sync/a")
        #expect(unknown.status == 1 && unknown.errors.contains("No menu"))
    }

    @Test func anActionWhoseServiceGoesAwayEndsWithAnError() async throws {
        host.holdActions()
        let program = try Program.start(
            ["do", "p/0", "sync/a"].map { Array($0.utf8) }, directory: directory.path.string,
            environment: bus.environment)
        while !host.asked.contains("Activate p/0"), program.isRunning { await Task.yield() }
        await host.connection.close()
        let outcome = try program.finish()
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("went away before the action was finished"), "\(outcome)")
    }

    @Test func anItemIsSharedByTheActionOfItsEngine() throws {
        let without = try roundel("share", "sync/a", "--json")
        #expect(without.status == 1, "\(without)")
        host.offer(["id": .string("other/share"), "label": .string("Share")])
        host.offer(["id": .string("roundel/share"), "label": .string("Share…"), "enabled": .bool(false)])
        let disabled = try roundel("share", "sync/a")
        #expect(disabled.status == 1 && disabled.errors.contains("cannot be shared now"), "\(disabled)")
        #expect(!disabled.errors.contains("roundel/share"))
        host.offer(["id": .string("roundel/copy-share-link"), "label": .string("Copy Share Link")])
        #expect(try roundel("share", "sync/a").status == 1)
        #expect(!host.asked.contains { $0.hasPrefix("Activate") })
    }

    @Test func aShareIsALinkToPrint() throws {
        host.offer(["id": .string("roundel/share"), "label": .string("Share…")])
        let shared = try roundel("share", "sync/a")
        #expect(shared.status == 0 && shared.output == "https://x.org/s/1\n", "\(shared)")
        #expect(host.asked.last { $0.hasPrefix("Activate") } == "Activate roundel/share")
    }

    @Test func anActionWhoseProviderWasLateIsWaitedForAndNotAskedForAgain() throws {
        host.delayMenus(2)
        #expect(try roundel("do", "p/0", "sync/a").status == 0)
        #expect(host.asked.filter { $0.hasPrefix("GetMenu") }.count == 1)
        #expect(try roundel("menu", "items", "sync/a").output.contains("Item of 0"))
        let before = host.asked.count
        #expect(try roundel("do", "p/none", "sync/a").status == 1)
        #expect(host.asked.dropFirst(before).filter { $0.hasPrefix("GetMenu") }.count == 4)
    }

    @Test func statusShowsWhatIsRememberedWhereTheWorkerIsMissing() throws {
        let status = try roundel("status", "--json")
        #expect(status.status == 0)
        #expect(status.output.hasPrefix(#"{"state":"syncing","watching":null,"folders":[{"uri":"\#(folder)""#))
        #expect(status.output.contains(#""text":"Uploading","paused_until":null,"progress":30,"bytes_done":null"#))
        let plain = try roundel("status", "sync/a")
        #expect(plain.output == "syncing  30 %  \(directory.path)/sync  Uploading\n")
        let foreign = try roundel("status", "/elsewhere")
        #expect(foreign.status == 1 && foreign.errors.contains("not in a synced folder"))
    }

    @Test func providersAreListedAndARefusalIsASentence() throws {
        let list = try roundel("providers", "--json")
        #expect(list.status == 0)
        #expect(
            list.output.hasPrefix(
                #"[{"id":"roundel","name":"Roundel","description":null,"enabled":true,"app":null,"new":false,"running":true,"folders":[{"uri":"#
            ))
        let waits =
            #""waiting":[{"uri":"\#(folder)/a","path":"\#(directory.path)/sync/a","provider":"roundel","other":{"uri":"\#(folder)""#
        #expect(list.output.contains(waits), "\(list.output)")
        let refused = try roundel("providers", "disable", "other")
        #expect(refused.status == 1 && refused.errors == "roundel: No such provider. See: roundel providers\n")
    }

    @Test func aFolderThatWaitsIsNamedWithTheCommandThatAllowsIt() throws {
        let list = try roundel("providers")
        let place = "\(directory.path)/sync"
        #expect(
            list.output.contains(
                "other waits in \(place)/a, which is inside \(place) of roundel. Allow it: "
                    + "roundel providers allow other \(place)/a\n"), "\(list.output)")
        let allowed = try roundel("providers", "allow", "other")
        #expect(allowed.status == 0 && allowed.output == "“other” shows its badges in \(place)/a.\n")
        #expect(host.asked.last == "Allow other \(folder)/a")
        _ = try roundel("providers", "allow", "other", "sync/b", "sync/c")
        #expect(host.asked.suffix(2) == ["Allow other \(folder)/b", "Allow other \(folder)/c"])
        let back = try roundel("providers", "disallow", "other", "sync/b", "--json")
        #expect(host.asked.last == "Disallow other \(folder)/b")
        #expect(back.output.hasPrefix(#"{"id":"other","disallowed":[{"uri":"\#(folder)/b""#))
        let nothing = try roundel("providers", "allow", "roundel")
        #expect(nothing.status == 1 && nothing.errors.contains("No folder of “roundel” waits to be allowed."))
        #expect(try roundel("providers", "disallow", "other").status == 64)
    }
}
