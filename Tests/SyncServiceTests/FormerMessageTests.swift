import DBus
import Remotes
import RoundelBus
import SyncCore
import SyncEngine
import SystemPackage
import TestSupport
import Testing

@testable import SyncService

/// What a worker stored when the codes of servers stood beside those of everything else, in databases and settings.
@Suite("What an earlier worker stored") struct FormerMessageTests {
    private static let server = "https://cloud.example.org/dav/"

    /// Messages as they were stored, and their sentences for the folder “Documents”.
    private static let messages: [(stored: String, sentence: String)] = [
        (
            "@server-unreachable remote\t\(server)",
            "The server \(server) cannot be reached. Syncing goes on by itself when it can."
        ),
        ("@server-login remote\t\(server)", "The server \(server) wants you to log in."),
        (
            "@server-login-refused remote\t\(server)",
            "The server \(server) refuses the saved password. Log in again."
        ),
        (
            "@server-login-unreadable remote\t\(server)",
            """
            The server \(server) wants you to log in, and your keyring is locked or does not run. Unlock it; syncing goes \
            on by itself.
            """
        ),
        (
            "@server-untrusted remote\t\(server)",
            """
            The certificate of the server \(server) is not trusted, so nothing is sent there. Ask who runs it, or install \
            its certificate authority on this computer.
            """
        ),
        (
            "@server-moved remote\t\(server)",
            "The server sends \(server) to another address. Remove the folder and add it with the new one."
        ),
        ("@server-busy remote\t\(server)\t17", "The server \(server) is busy. It is tried again soon."),
        (
            "@collection-missing remote\t\(server)",
            "There is no folder at \(server). Make it on the server, or check the address."
        ),
        (
            "@server-trouble remote\td/a\t500",
            "The server gave an answer about “d/a” that cannot be used (status 500). It is tried again."
        ),
        (
            "@server-trouble remote\t\t0",
            "The server gave an answer about “Documents” that cannot be used (status 0). It is tried again."
        ),
        ("@locked remote\ta\\tb", "“a\tb” is locked by another program on the server. It is tried again."),
        (
            "@cut-off remote\ta",
            "The server ended the connection in the middle of “a”. It is tried again after a while."
        ),
        (
            "@too-large-for-server remote\ta",
            "The server takes no file as large as “a”. Ask who runs it to allow larger uploads, or exclude the file."
        ),
        ("@no-answer remote\ta", "The server gave no answer about “a” in time. It is tried again after a while."),
        (
            "@hidden-name remote\t.a",
            """
            “.a” is not synced: this server does not show names that begin with a dot, so nobody could tell whether it was \
            deleted. Rename or exclude it.
            """
        ),
        (
            "@server-unreachable remote\trclone:drive:a",
            "The remote rclone:drive:a cannot be reached. Syncing goes on by itself when it can."
        ),
        (
            "@server-login remote\trclone:drive:a",
            """
            The remote rclone:drive:a wants you to log in again. rclone keeps its login: renew it there.
            """
        ),
        (
            "@server-untrusted remote\trclone:drive:a",
            """
            The certificate of the server rclone:drive:a is not trusted, so nothing is sent there. Ask who runs it, or \
            install its certificate authority on this computer.
            """
        ),
        ("@server-busy remote\trclone:drive:a", "The server rclone:drive:a is busy. It is tried again soon."),
        (
            "@collection-missing remote\trclone:drive:a",
            "There is no folder at rclone:drive:a. Make it there, or check the path."
        ),
        (
            "@collection-missing remote\trclone:drive:a\trclone",
            "rclone is not installed, which the remote rclone:drive:a needs. Install it."
        ),
        (
            "@collection-missing remote\trclone:drive:a\tstart",
            """
            rclone does not start, which the remote rclone:drive:a needs. Check its configuration.
            """
        ),
        ("@collection-missing remote\trclone:drive:a\tname", "rclone has no remote of the name in rclone:drive:a."),
        ("@gone remote\ta", "“a” is missing on the remote."),
        ("@a-code-of-a-later-version remote\ta", "@a-code-of-a-later-version remote\ta"),
    ]

    @Test("Each stored message has the words that it had, also after it was stored once more")
    func sentences() {
        let explainer = Explainer(folder: "Documents")
        for (stored, sentence) in Self.messages {
            let said = Explanation(stored: stored)
            #expect(explainer.sentence(said) == sentence, "\(stored)")
            #expect(explainer.sentence(Explanation(stored: said.stored)) == sentence, "\(stored)")
        }
    }

    @Test("A folder with a server, its log and its settings are those of before")
    func folder() throws {
        let files = try TemporaryDirectory()
        try files.makeDirectory("Cloud")
        try files.makeDirectory("state/roundel/worker/f0123456789abcdef")
        let settings = """
            {"folders": [{"added": 5, "excludes": [], "id": "f0123456789abcdef", "label": "Documents", "paused": true,
                "remote": "webdav+http://me@127.0.0.1:9/dav/", "server": "7 Apache", "traits": ["locks", "ranges"],
                "uri": "\(try ItemURI(path: files["Cloud"]).uri)"}],
             "removed": [{"id": "f1", "label": "Old", "localRoot": "00", "remote": "rclone:drive:a", "remoteRoot": "01",
                "removed": 9, "uri": "file:///nowhere/Old"}],
             "tag": "ABCD"}
            """
        try Self.log(at: WorkerBench.places(files).state(of: "f0123456789abcdef").appending("trees.sqlite"))
        let bench = try WorkerBench(settings: settings, files: files)
        let unit = try bench.service.folders.unit(named: "f0123456789abcdef")
        #expect(unit.usesNetwork && unit.server != nil && unit.remote.text == "webdav+http://me@127.0.0.1:9/dav/")
        #expect(unit.settings.traits == ["locks", "ranges"] && unit.settings.server == "7 Apache")
        let explainer = unit.explainer
        #expect(
            unit.reporter.activities(limit: 100).map(\.message)
                == Self.messages.map { explainer.sentence(Explanation(stored: $0.stored)) })
        #expect(try bench.service.removed.keptPlaces(named: "f1").count == 1)
        try bench.stop()
        #expect(try WorkerSettings.load(WorkerBench.places(files).settings).folders == [unit.settings])
    }

    /// Writes a database with these messages in its log.
    private static func log(at path: FilePath) throws {
        let store = try SQLiteStore(path: path)
        let activities = messages.map { Activity(kind: .error, node: .root, path: .root, detail: $0.stored) }
        _ = try store.append(activities, date: 1)
        try store.commit()
    }
}
