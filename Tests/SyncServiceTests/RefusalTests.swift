import DBus
import RoundelBus
import SystemPackage
import TestSupport
import Testing

@testable import SyncService

@Suite("What the worker refuses")
struct RefusalTests {
    @Test("Of two calls at once for the same place only one finds it free")
    func atOnce() throws {
        let bench = try WorkerBench()
        for name in ["Cloud/inner", "Remote", "Far", "Other"] { try bench.files.makeDirectory(name) }
        let outcomes = try bench.refusalsAtOnce(
            "AddFolder",
            [
                [bench.uri("Cloud"), bench.path("Remote")], [bench.uri("Cloud"), bench.path("Far")],
                [bench.uri("Cloud/inner"), bench.path("Other")],
            ])
        #expect(try bench.listed().count == 1)
        #expect(outcomes.count { $0 == nil } == 1, "\(outcomes)")
        #expect(outcomes.count { $0 == "FolderTaken" } == 2, "\(outcomes)")
        try bench.stop()
    }

    @Test("A folder that cannot be synced is refused and leaves nothing behind")
    func addFolder() throws {
        let bench = try WorkerBench()
        let files = bench.files
        for name in ["Cloud/inner", "Remote/inner", "real"] { try files.makeDirectory(name) }
        try files.write("", to: "file")
        try files.makeLink("link", to: "Cloud")
        let remote = bench.path("Remote")
        let cases: [(DBusValue, DBusValue, String)] = [
            (.string("Cloud"), remote, "InvalidUri"), (.string("file://host/x"), remote, "InvalidUri"),
            (bench.uri("missing"), remote, "NotADirectory"), (bench.uri("file"), remote, "NotADirectory"),
            (bench.uri("link"), remote, "NotADirectory"), (bench.uri("Cloud"), .string("remote"), "InvalidRemote"),
            (bench.uri("Cloud"), bench.path("missing"), "InvalidRemote"),
            (bench.uri("Cloud"), bench.path("file"), "InvalidRemote"),
            (bench.uri("Cloud"), bench.path("Cloud"), "InvalidRemote"),
            (bench.uri("Cloud"), bench.path("Cloud/inner"), "InvalidRemote"),
            (bench.uri("Remote/inner"), remote, "InvalidRemote"),
            (bench.uri("Cloud"), .string("/"), "InvalidRemote"),
        ]
        for (folder, remote, error) in cases {
            #expect(bench.refusal("AddFolder", folder, remote) == error, "\(folder), \(remote)")
        }
        for options in [["upload-only", "on-demand"], ["trash-uploaded"]] {
            let all = VariantMap(uniqueKeysWithValues: options.map { ($0, .bool(true)) })
            #expect(bench.refusal("AddFolder", bench.uri("Cloud"), remote, options: all) == "Unsupported", "\(options)")
        }
        #expect(try bench.listed().isEmpty && !files.exists(WorkerBench.settingsFile))
        try bench.stop()
    }

    @Test("A worker that ends before it began to sync ends, with folders and without")
    func endsEarly() throws {
        let bench = try WorkerBench()
        try bench.stop()
        let second = try WorkerBench(files: bench.files)
        _ = try second.addFolder()
        try second.stop()
        let third = try WorkerBench(files: bench.files)
        #expect(try third.listed().count == 1)
        try third.stop()
    }

    @Test("A folder that is removed while it is compared is not said to be equal on both sides")
    func removedWhileCompared() throws {
        let bench = try WorkerBench()
        let id = DBusValue.string(try bench.addFolder())
        try bench.call("Sync", id, options: ["wait": .bool(true)])
        try bench.call("Pause", id)
        try bench.files.write("not synced yet", to: "Remote/new")
        let outcomes = try bench.refusalsAtOnce([("Verify", [bench.uri("Cloud")]), ("RemoveFolder", [id])])
        #expect(outcomes == ["UnknownFolder", nil])
        #expect(try bench.listed().isEmpty)
        try bench.stop()
    }

    @Test("Folder and remote are told apart through symbolic links of their ancestors")
    func throughLinks() throws {
        let bench = try WorkerBench()
        try bench.files.makeDirectory("real/Cloud/inner")
        try bench.files.makeLink("alias", to: "real")
        let refusal = bench.refusal("AddFolder", bench.uri("real/Cloud"), bench.path("alias/Cloud/inner"))
        #expect(refusal == "InvalidRemote")
        try bench.stop()
    }

    @Test("A folder is synced once: not again, not inside, not around, not by another spelling")
    func taken() throws {
        let bench = try WorkerBench()
        try bench.files.makeDirectory("real/Cloud/inner")
        try bench.files.makeDirectory("Remote")
        try bench.files.makeDirectory("Other")
        try bench.files.makeLink("alias", to: "real")
        try bench.call("AddFolder", bench.uri("real/Cloud"), bench.path("Remote"))
        for place in ["real/Cloud", "real/Cloud/inner", "real", "alias/Cloud", "alias/Cloud/inner"] {
            #expect(bench.refusal("AddFolder", bench.uri(place), bench.path("Other")) == "FolderTaken", "\(place)")
        }
        #expect(try bench.listed().count == 1)
        try bench.stop()
    }

    @Test("No folder is synced by way of another: not with one's folder as the other's remote, nor inside, nor around")
    func chained() throws {
        let bench = try WorkerBench()
        for name in ["Cloud/inner", "Remote/inner", "Other", "around/x"] { try bench.files.makeDirectory(name) }
        _ = try bench.addFolder()
        try bench.files.makeLink("alias", to: "Cloud")
        for remote in ["Cloud", "Cloud/inner", "alias/inner", ""] {
            #expect(bench.refusal("AddFolder", bench.uri("Other"), bench.path(remote)) == "InvalidRemote", "\(remote)")
        }
        for folder in ["Remote", "Remote/inner"] {
            #expect(bench.refusal("AddFolder", bench.uri(folder), bench.path("around")) == "FolderTaken", "\(folder)")
        }
        #expect(try bench.listed().count == 1)
        for remote in ["Remote", "Remote/inner"] {
            #expect(bench.refusal("AddFolder", bench.uri("Other"), bench.path(remote)) == "InvalidRemote", "\(remote)")
        }
        try bench.stop()
    }

    @Test("No folder is moved to where another one or a remote is", arguments: ["", "alias/"])
    func relocated(alias: String) throws {
        let bench = try WorkerBench()
        for name in ["Second/inner", "SecondRemote/inner", "Remote/inner"] { try bench.files.makeDirectory(name) }
        let id = DBusValue.string(try bench.addFolder())
        try bench.call("AddFolder", bench.uri("Second"), bench.path("SecondRemote"))
        try bench.files.makeLink("alias", to: ".")
        for place in ["Second", "Second/inner", "SecondRemote", "SecondRemote/inner", "Remote", "Remote/inner"] {
            #expect(bench.refusal("RelocateFolder", id, bench.uri(alias + place)) == "FolderTaken", "\(place)")
        }
        try bench.stop()
    }

    @Test(
        "Bind mounts hide nothing: a folder, a remote, a part of one and a file system in one are known again",
        .enabled(if: BindMounts.isPossible, "needs the superuser to mount a file system"))
    func throughBindMounts() throws {
        let bench = try WorkerBench()
        for name in ["Cloud/inner", "Remote/inner", "Other", "place", "Third/nested"] {
            try bench.files.makeDirectory(name)
        }
        let id = DBusValue.string(try bench.addFolder())
        let place = bench.files["place"].string
        for source in ["Cloud", "Cloud/inner", "Remote", "Remote/inner"] {
            let mount = try BindMounts(bench.files[source].string, at: place)
            #expect(bench.refusal("AddFolder", bench.uri("Other"), bench.path("place")) == "InvalidRemote", "\(source)")
            #expect(bench.refusal("AddFolder", bench.uri("place"), bench.path("Other")) == "FolderTaken", "\(source)")
            if source.hasPrefix("Remote") {
                #expect(bench.refusal("RelocateFolder", id, bench.uri("place")) == "FolderTaken", "\(source)")
            }
            mount.unmount()
        }
        let nested = try BindMounts(bench.files["Remote/inner"].string, at: bench.files["Third/nested"].string)
        #expect(bench.refusal("AddFolder", bench.uri("Third"), bench.path("Other")) == "FolderTaken")
        nested.unmount()
        #expect(bench.refusal("AddFolder", bench.uri("Third"), bench.path("Other")) == nil)
        try bench.stop()
    }

    @Test("Every method that takes a folder refuses one that is none")
    func unknownFolder() throws {
        let bench = try WorkerBench()
        _ = try bench.addFolder()
        for name in ["nothing", "file:///elsewhere", "x"] {
            let folder = DBusValue.string(name)
            for method in ["RemoveFolder", "Status", "Sync", "Pause", "Resume", "ListExcludes"] {
                #expect(bench.refusal(method, folder) == "UnknownFolder", "\(method)")
            }
            #expect(bench.refusal("RelocateFolder", folder, bench.uri("Cloud")) == "UnknownFolder")
            #expect(bench.refusal("AddExcludes", folder, .strings(["x"])) == "UnknownFolder")
            #expect(bench.refusal("RemoveExcludes", folder, .strings(["x"])) == "UnknownFolder")
        }
        #expect(bench.refusal("RemoveFolder", .string("")) == "UnknownFolder")
        try bench.stop()
    }

    @Test("Patterns, conflicts and runs that make no sense are refused")
    func choices() throws {
        let bench = try WorkerBench()
        let id = DBusValue.string(try bench.addFolder())
        #expect(bench.refusal("AddExcludes", id, .strings(["ok", ""])) == "InvalidPattern")
        let long = String(repeating: "x", count: 4097)
        #expect(bench.refusal("AddExcludes", id, .strings([long])) == "InvalidPattern")
        #expect(bench.refusal("RemoveExcludes", id, .strings(["ok"])) == "UnknownPattern")
        #expect(try bench.call("ListExcludes", id).first == .strings([]))
        #expect(bench.refusal("Resolve", bench.uri("Cloud/a"), .string("mine")) == "NoConflict")
        #expect(bench.refusal("Resolve", bench.uri("Cloud/a"), .string("perhaps")) == "Failed")
        #expect(bench.refusal("Resolve", .string("Cloud/a"), .string("mine")) == "InvalidUri")
        try bench.call("Pause", id)
        #expect(bench.refusal("Sync", id) == "FolderPaused")
        try bench.call("Resume", id)
        #expect(bench.refusal("Sync", id) == nil)
        try bench.stop()
    }

    @Test("A folder moves only to where the same folder is")
    func relocate() throws {
        let bench = try WorkerBench()
        let id = DBusValue.string(try bench.addFolder())
        try bench.files.makeDirectory("Elsewhere")
        #expect(bench.refusal("RelocateFolder", id, bench.uri("missing")) == "NotADirectory")
        #expect(bench.refusal("RelocateFolder", id, .string("no uri")) == "InvalidUri")
        #expect(bench.refusal("RelocateFolder", id, bench.uri("Elsewhere")) == "InvalidUri")
        #expect(try bench.listed() == ["file://" + bench.files["Cloud"].string])
        try bench.stop()
    }

    @Test("What cannot be saved is not done")
    func notSaved() throws {
        let bench = try WorkerBench()
        try bench.files.write("a file where the directory belongs", to: "config")
        try bench.files.makeDirectory("Cloud")
        try bench.files.makeDirectory("Remote")
        #expect(bench.refusal("AddFolder", bench.uri("Cloud"), bench.path("Remote")) == "Failed")
        #expect(try bench.listed().isEmpty)
        // Nor is it with what is saved next.
        try bench.files.remove("config")
        for name in ["Second", "SecondRemote"] { try bench.files.makeDirectory(name) }
        #expect(bench.refusal("AddFolder", bench.uri("Second"), bench.path("SecondRemote")) == nil)
        let saved = try WorkerSettings.load(WorkerBench.places(bench.files).settings)
        #expect(saved.folders.map(\.uri) == ["file://" + bench.files["Second"].string])
        try bench.stop()
    }

    @Test("A choice that cannot be saved does not take effect, and nothing is lost for it")
    func choicesNotSaved() throws {
        let bench = try WorkerBench()
        let id = DBusValue.string(try bench.addFolder())
        try bench.call("AddExcludes", id, .strings(["*.old"]))
        let settings = try bench.files.read(WorkerBench.settingsFile)
        func expectAsBefore() throws {
            #expect(try bench.listed() == ["file://" + bench.files["Cloud"].string])
            #expect(try bench.call("ListExcludes", id).first == .strings(["*.old"]))
            #expect(bench.refusal("Sync", id) == nil)
        }
        // A directory in the place of the file.
        try bench.files.remove(WorkerBench.settingsFile)
        try bench.files.makeDirectory(WorkerBench.settingsFile)
        #expect(bench.refusal("Pause", id) == "Failed")
        try expectAsBefore()
        #expect(bench.refusal("AddExcludes", id, .strings(["*.new"])) == "Failed")
        #expect(bench.refusal("RemoveExcludes", id, .strings(["*.old"])) == "Failed")
        try expectAsBefore()
        try bench.files.rename("Cloud", to: "Moved")
        #expect(bench.refusal("RelocateFolder", id, bench.uri("Moved")) == "Failed")
        try bench.files.rename("Moved", to: "Cloud")
        try expectAsBefore()
        try bench.files.remove(WorkerBench.settingsFile)
        try bench.call("AddExcludes", id, .strings(["*.tmp"]))
        let saved = try bench.files.read(WorkerBench.settingsFile)
        #expect(saved == settings.replacing("\"*.old\"", with: "\"*.old\",\n        \"*.tmp\""))
        try bench.stop()
    }

    @Test("A folder that this release cannot sync is left out and not lost")
    func foreignFolder() throws {
        let folder = """
            {"id": "f1", "uri": "file:///home/x", "remote": "future:drive:x", "label": "", "paused": false,
             "excludes": [], "added": 1}
            """
        let bench = try WorkerBench(settings: "{\"tag\": \"ABCD\", \"folders\": [\(folder)]}")
        #expect(try bench.listed().isEmpty)
        _ = try bench.addFolder()
        #expect(try bench.listed().count == 1)
        let saved = try WorkerSettings.load(WorkerBench.places(bench.files).settings)
        #expect(saved.tag == "ABCD" && saved.folders.map(\.remote).contains("future:drive:x"))
        try bench.stop()
    }

    @Test("A removed folder is forgotten, its files stay")
    func removeFolder() throws {
        let bench = try WorkerBench()
        let id = DBusValue.string(try bench.addFolder())
        try bench.files.write("text", to: "Cloud/kept")
        try bench.call("RemoveFolder", id)
        #expect(try bench.listed().isEmpty && bench.files.read("Cloud/kept") == "text")
        #expect(try WorkerSettings.load(WorkerBench.places(bench.files).settings).folders.isEmpty)
        #expect(bench.refusal("Status", id) == "UnknownFolder")
        try bench.stop()
    }

    @Test("Of a removed folder neither databases nor empty directories stay")
    func removeRemains() throws {
        let bench = try WorkerBench()
        let id = try bench.addFolder()
        try bench.files.write("text", to: "Cloud/kept")
        try bench.call("Sync", .string(id), options: ["wait": .bool(true)])
        let places = ["state/roundel/worker/\(id)", "Remote/.roundel/\(id)"]
        #expect(bench.files.exists(places[0] + "/trees.sqlite") && bench.files.exists(places[1]))
        try bench.call("RemoveFolder", .string(id))
        #expect(bench.harness.run(until: { places.allSatisfy { !bench.files.exists($0) } }))
        #expect(try bench.files.read("Remote/kept") == "text" && bench.files.exists("Remote/.roundel/root"))
        try bench.stop()
    }
}
