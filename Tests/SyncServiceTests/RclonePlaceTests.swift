import Rclone
import Remotes
import RoundelBus
import SyncCore
import SystemPackage
import Testing

@testable import SyncService

@Suite("Remotes of rclone that folders are synced with")
struct RclonePlaceTests {
    @Test("A place is named by its remote and a path")
    func addresses() throws {
        let place = try RemoteKinds.unused.place("rclone:drive:a/b/")
        #expect(place.text == "rclone:drive:a/b" && place.needsNetwork && !(place is any LoginPlace))
        #expect(place.uri == nil && place.directory == nil)
    }

    @Test(
        "Others are refused, and a password that was written into one is not repeated",
        arguments: [
            "rclone:", "rclone:hunter2", "rclone:s3,key=hunter2:x", "rclone::s3,key=hunter2:", "rclone:a:../hunter2",
        ])
    func refusals(text: String) {
        let error = #expect(throws: WorkerError.self) { try RemoteKinds.unused.place(text) }
        #expect(error?.code == .invalidRemote && error?.message.contains("hunter2") == false)
    }

    @Test("Two folders cannot have one place, or places that hold each other")
    func overlap() throws {
        let kinds = RemoteKinds.unused
        let other = SyncedPlace(id: "f1", folder: "/home/x", remote: try kinds.place("rclone:drive:a"))
        #expect(WorkerError.remoteTaken("rclone:drive:a", by: other.folder).message.contains("rclone:drive:a"))
        for (text, overlaps) in [
            ("rclone:drive:a/b", true), ("rclone:drive:", true), ("rclone:drive:b", false), ("/drive/a", false),
            ("webdav+https://drive/a", false),
        ] {
            #expect(try kinds.place(text).overlaps(any: other.remote) == overlaps, "\(text)")
        }
    }

    @Test("A refusal names the remotes that there are, or how to make one")
    func offers() {
        func message(_ names: [String]) -> String {
            let refusal = RemoteRefusal(.invalid, Explanation(.text, nil, "x"), advice: RcloneKind.offer(names))
            return WorkerError(refusal).message
        }
        #expect(message(["a", "b"]) == "x You configured: rclone:a:, rclone:b:")
        #expect(message([]) == "x rclone has no remotes yet. Make one there.")
    }

    @Test("What is missing is said in words of its own")
    func sentences() throws {
        let trouble = RcloneTrouble(try RcloneLocation("rclone:drive:a"))
        let cases: [(RcloneFailure.Reason, String)] = [
            (.noProgram, "is not installed"), (.notStarted, "does not start"),
            (.notConfigured, "no remote of the name"),
            (.notFound, "There is no folder at rclone:drive:a"), (.unreachable, "cannot be reached"),
            (.loginNeeded, "wants you to log in again"),
        ]
        for (reason, words) in cases {
            let sentence = Explainer(folder: "x").sentence(trouble.explanation(RcloneFailure(reason), at: .root))
            #expect(sentence.contains(words), "\(sentence)")
        }
    }
}
