import DBus
import Glibc
import RoundelBus
import SystemPackage
import TestSupport
import Testing

@testable import SyncService

@Suite("A person edits the settings file while the worker runs")
struct EditedSettingsTests {
    private func edit(_ bench: WorkerBench, _ change: (inout [String: SettingsValue]) -> Void) throws {
        var value = try SettingsValue(parsing: bench.files.read(WorkerBench.settingsFile))
        guard case .object(var members) = value else { throw DBusError.failed("no object") }
        change(&members)
        value = .object(members)
        try bench.files.write(try value.text(), to: WorkerBench.settingsFile)
    }

    private func isLink(_ files: TemporaryDirectory, _ name: String) -> Bool {
        var status = stat()
        return lstat(files[name].string, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    private func value(_ bench: WorkerBench) throws -> SettingsValue {
        try SettingsValue(parsing: bench.files.read(WorkerBench.settingsFile))
    }

    private func folder(_ bench: WorkerBench) throws -> SettingsValue? {
        guard case .list(let folders)? = try value(bench)["folders"] else { return nil }
        return folders.first
    }

    private func editFolder(_ bench: WorkerBench, _ key: String, _ value: SettingsValue) throws {
        try edit(bench) { members in
            guard case .list(var folders)? = members["folders"], case .object(var folder)? = folders.first else {
                return
            }
            folder[key] = value
            folders[0] = .object(folder)
            members["folders"] = .list(folders)
        }
    }

    @Test("What was written by hand stays, known keys and unknown ones, whatever a command changes then")
    func merged() throws {
        let bench = try WorkerBench()
        let id = DBusValue.string(try bench.addFolder())
        try edit(bench) { $0["keepFree"] = .integer(5) }
        try edit(bench) { $0["note"] = .text("mine") }
        try editFolder(bench, "label", .text("Work"))
        try editFolder(bench, "colour", .text("red"))
        try bench.call("Pause", id)
        #expect(try value(bench)["keepFree"] == .integer(5) && value(bench)["note"] == .text("mine"))
        #expect(try folder(bench)?["label"] == .text("Work") && folder(bench)?["paused"] == .bool(true))
        #expect(try folder(bench)?["colour"] == .text("red"))
        try editFolder(bench, "excludes", .list([.text("*.old")]))
        try bench.call("AddExcludes", id, .strings(["*.tmp"]))
        #expect(try folder(bench)?["excludes"] == .list([.text("*.old"), .text("*.tmp")]))
        for name in ["Second", "SecondRemote"] { try bench.files.makeDirectory(name) }
        try edit(bench) { $0["keepFree"] = .integer(6) }
        let second = try bench.call("AddFolder", bench.uri("Second"), bench.path("SecondRemote")).first ?? .string("")
        #expect(try value(bench)["keepFree"] == .integer(6) && folder(bench)?["colour"] == .text("red"))
        try editFolder(bench, "label", .text("Home"))
        try bench.call("RemoveFolder", second)
        #expect(try folder(bench)?["label"] == .text("Home"))
        try bench.stop()
    }

    @Test("What was written by hand about a folder holds from the next command on")
    func holds() throws {
        let bench = try WorkerBench()
        let id = DBusValue.string(try bench.addFolder())
        try editFolder(bench, "excludes", .list([.text("*.old")]))
        #expect(try bench.call("ListExcludes", id).first == .strings(["*.old"]))
        try editFolder(bench, "paused", .bool(true))
        #expect(bench.refusal("Sync", id) == "FolderPaused")
        try editFolder(bench, "label", .text("Work"))
        #expect(try bench.call("ListFolders").first?.maps?.first?.string("label") == "Work")
        // A folder that a person takes out of the list, or adds to it, stays so.
        let entry = try #require(try folder(bench))
        try edit(bench) { $0["folders"] = .list([]) }
        try bench.call("Resume", id)
        #expect(try folder(bench) == nil)
        try edit(bench) { $0["folders"] = .list([entry]) }
        try bench.call("Pause", id)
        #expect(try folder(bench)?["paused"] == .bool(true))
        try bench.stop()
    }

    @Test("An entry that a person writes needs an id, a folder and a remote, and no more")
    func handWritten() throws {
        let text = """
            {"tag": "ABCD", "folders": [{"id": "mine", "uri": "file:///home/x/Work", "remote": "/mnt/work"}]}
            """
        let files = try TemporaryDirectory()
        try files.write(text, to: WorkerBench.settingsFile)
        let folder = try #require(try WorkerSettings.load(WorkerBench.places(files).settings).folders.first)
        #expect(folder.label == "Work" && !folder.paused && folder.excludes.isEmpty)
    }

    @Test(
        "A file that cannot be read is not overwritten: the command is refused, and works when the file is right again",
        arguments: ["", "{", "{\"folders\": 5}", "[]"])
    func unreadable(text: String) throws {
        let bench = try WorkerBench()
        let id = DBusValue.string(try bench.addFolder())
        let before = try bench.files.read(WorkerBench.settingsFile)
        try bench.files.write(text, to: WorkerBench.settingsFile)
        for name in ["Second", "SecondRemote"] { try bench.files.makeDirectory(name) }
        #expect(bench.refusal("Pause", id) == "Failed")
        #expect(bench.refusal("AddFolder", bench.uri("Second"), bench.path("SecondRemote")) == "Failed")
        #expect(bench.refusal("RemoveFolder", id) == "Failed")
        #expect(try bench.files.read(WorkerBench.settingsFile) == text)
        #expect(try bench.listed().count == 1)
        try bench.files.write(before, to: WorkerBench.settingsFile)
        #expect(bench.refusal("Pause", id) == nil)
        try bench.stop()
    }

    @Test("A symbolic link stays one, and what it leads to is written", arguments: ["folders.json", ""])
    func link(name: String) throws {
        let bench = try WorkerBench()
        _ = try bench.addFolder()
        let place = name.isEmpty ? "config/roundel" : WorkerBench.settingsFile
        try bench.files.makeDirectory("dotfiles")
        try bench.files.rename(place, to: "dotfiles/kept")
        try bench.files.makeLink(place, to: "dotfiles/kept")
        for name in ["Second", "SecondRemote"] { try bench.files.makeDirectory(name) }
        try bench.call("AddFolder", bench.uri("Second"), bench.path("SecondRemote"))
        #expect(isLink(bench.files, place))
        let file = name.isEmpty ? "dotfiles/kept/folders.json" : "dotfiles/kept"
        #expect(try WorkerSettings.load(bench.files[file]).folders.count == 2)
        try bench.stop()
    }

    @Test(
        "A link that leads nowhere is no empty list: nothing starts, and nothing is written",
        arguments: ["config", "config/roundel", "config/roundel/folders.json"])
    func danglingLink(place: String) throws {
        let files = try TemporaryDirectory()
        if let slash = place.lastIndex(of: "/") { try files.makeDirectory(String(place[..<slash])) }
        try files.makeLink(place, to: "not-mounted/place")
        do {
            _ = try WorkerBench(files: files)
            Issue.record("it started")
        } catch let error as WorkerError {
            #expect(error.message.contains(files[place].string) && error.message.contains("symbolic link"))
        }
        #expect(isLink(files, place) && !files.exists("not-mounted"))
    }

    @Test("A link that leads nowhere later is not replaced either")
    func danglingLater() throws {
        let bench = try WorkerBench()
        let id = DBusValue.string(try bench.addFolder())
        try bench.files.makeDirectory("dotfiles")
        try bench.files.rename(WorkerBench.settingsFile, to: "dotfiles/list")
        try bench.files.makeLink(WorkerBench.settingsFile, to: "dotfiles/list")
        try bench.call("Pause", id)
        try bench.files.rename("dotfiles", to: "elsewhere")
        #expect(bench.refusal("Resume", id) == "Failed")
        #expect(isLink(bench.files, WorkerBench.settingsFile))
        try bench.files.rename("elsewhere", to: "dotfiles")
        #expect(bench.refusal("Resume", id) == nil)
        try bench.stop()
    }

    @Test("Random edits by hand and by commands: no change of either is lost, unless both changed the same value")
    func random() throws {
        var random = SeededRandom(for: "EditedSettingsTests.random")
        func change(_ value: SettingsValue, _ key: String, _ mark: Int64) -> SettingsValue {
            guard case .object(var members) = value, case .list(var folders)? = members["folders"] else { return value }
            if folders.isEmpty || random.next() % 2 == 0 {
                members[key] = .integer(mark)
            } else if case .object(var folder)? = folders.first {
                folder[key] = .integer(mark)
                folders[0] = .object(folder)
                members["folders"] = .list(folders)
            }
            return .object(members)
        }
        for round in 0..<500 {
            let base = SettingsValue.object([
                "a": .integer(0), "folders": .list([.object(["id": .text("f"), "a": .integer(0), "b": .integer(0)])]),
            ])
            let theirs = change(base, "t\(random.next() % 3)", 1)
            let ours = change(base, "o\(random.next() % 3)", 2)
            let merged = SettingsValue.merged(base: base, theirs: theirs, ours: ours)
            #expect(merged == SettingsValue.merged(base: base, theirs: ours, ours: theirs), "round \(round)")
            for side in [theirs, ours] where side != base { #expect(merged != base && merged != nil, "round \(round)") }
            #expect(SettingsValue.merged(base: theirs, theirs: merged, ours: theirs) == merged)
            #expect(SettingsValue.merged(base: base, theirs: base, ours: ours) == ours)
        }
        let both = SettingsValue.merged(base: .integer(0), theirs: .integer(1), ours: .integer(2))
        #expect(both == .integer(2))
    }
}

extension SettingsValue {
    fileprivate init(parsing text: String) throws {
        self = try SettingsText.parse(text)
    }

    fileprivate func text() throws -> String { try SettingsText.text(of: self) }
}
