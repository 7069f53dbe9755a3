import DBus
import RoundelBus
import Testing

@testable import roundel

/// What helps after an error of a service, whose sentence names no command.
@Suite struct AdviceTests {
    private static func sentence(_ code: RoundelError.Code, _ said: String = "It is so.") -> String {
        ErrorSentence.of(DBusError(RoundelError(code, said)))
    }

    @Test(
        "The command follows what the service said",
        arguments: [
            (.unknownFolder, "See: roundel list"), (.noConflict, "See: roundel conflicts"),
            (.notInTrash, "See: roundel trash"), (.unknownProvider, "See: roundel providers"),
            (.folderPaused, "To go on: roundel resume"), (.loginNeeded, "Log in: roundel login PATH"),
            (.notSynced, "See: roundel ls"), (.noFuse, "See: roundel doctor"),
            (.answerNeeded, "See: roundel status"),
            (.placeGone, "To restore it elsewhere: roundel trash restore --to DIRECTORY PATH"),
            (.untrustedServer, "To trust a certificate authority: roundel add --authority FILE"),
            (.certificateNeeded, "To use your certificate: roundel add --certificate FILE --key FILE"),
            (.passphraseNeeded, "To be asked for the passphrase, give the files again on a terminal."),
        ] as [(RoundelError.Code, String)])
    func commands(code: RoundelError.Code, command: String) {
        #expect(Self.sentence(code) == "It is so. \(command)")
    }

    @Test(
        "Where no command helps, the sentence stands alone",
        arguments: [.failed, .pinned, .invalidRemote, .cancelled] as [RoundelError.Code])
    func alone(code: RoundelError.Code) {
        #expect(Self.sentence(code) == "It is so.")
    }

    @Test("An error with a command of its own has its code, and that command alone")
    func ownCommand() {
        let cause = DBusError(RoundelError(.unknownFolder, "It is so."))
        #expect(ErrorSentence.of(AdvisedError(cause, "See: x")) == "It is so. See: x")
        #expect(ErrorSentence.of(AdvisedError(cause, nil)) == "It is so.")
        #expect(ErrorCode.word(of: AdvisedError(cause, "See: x")) == "unknown-folder")
    }

    @Test(
        "After an error about a remote the command has its address",
        arguments: [
            (.loginNeeded, "webdav+https://me@h/d", "Log in: roundel login webdav+https://me@h/d"),
            (.loginNeeded, "rclone:drive:a", "Log in: rclone config reconnect drive:"),
            (.failed, "rclone:my drive:a", "To see what is wrong: rclone lsd 'my drive:a'"),
            (.failed, "webdav+https://me@h/d", nil), (.invalidRemote, "cloud.example.org:8080/x", nil),
            (.invalidRemote, "https://cloud.example.org", nil), (.invalidRemote, "cloud.example.org/a:b", nil),
            (.invalidRemote, "rclone:none:x", "To make a remote: rclone config"),
            (.invalidRemote, "ftp://h/x", "To make a remote: rclone config"),
            (
                .invalidRemote, "eva@nas.example:/x",
                "To make a remote: rclone config create nas sftp host=nas.example user=eva"
            ),
            (
                .invalidRemote, "sftp://nas.example/x",
                "To make a remote: rclone config create nas sftp host=nas.example user=USER"
            ),
            (
                .invalidRemote, "x y@$(h):/x",
                "To make a remote: rclone config create h sftp host='$(h)' user='x y'"
            ),
            (
                .invalidRemote, "-eva x@nas.example:/x",
                "To make a remote: rclone config create nas sftp host=nas.example 'user=-eva x'"
            ),
            (.untrustedServer, "cloud.example.org", "To trust a certificate authority: roundel add --authority FILE"),
        ] as [(RoundelError.Code, String, String?)])
    func remotes(code: RoundelError.Code, address: String, command: String?) {
        #expect(Advice.after(code, at: address) == command)
    }
}
