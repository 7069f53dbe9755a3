import Secrets
import Support

/// The sentences of `login` and `logout`. None has a password in it, nor an address that might.
extension Text {
    static func askForUser(at server: String) -> String { Phrase.text("User name at {1}: ", server) }

    static func askForPassword(of user: String, at server: String) -> String {
        Phrase.text("Password of {1} at {2}: ", user, server)
    }

    static func loggedIn(_ user: String, at server: String) -> String {
        Phrase.text("The password of “{1}” at {2} is saved in your keyring.", user, server)
    }

    static func syncsAgain(_ path: String) -> String { Phrase.text("{1} syncs with it.", path) }

    static func loggedOut(_ user: String, at server: String) -> String {
        Phrase.text("The password of “{1}” at {2} was deleted from your keyring.", user, server)
    }

    /// - Parameter word: the folder as a word of a command.
    static func needsLogin(_ path: String, word: String) -> String {
        Phrase.text("{1} syncs with it and will need a password. To log in again: roundel login {2}", path, word)
    }

    static func notLoggedIn(_ user: String?, at server: String) -> String {
        user.map { Phrase.text("No password of “{1}” at {2} is saved.", $0, server) }
            ?? Phrase.text("No password for {1} is saved.", server)
    }

    static func needsNoLogin(_ path: String) -> String {
        Phrase.text("“{1}” syncs with a directory, which needs no login.", path)
    }

    static var rcloneKeepsLogins: String {
        Phrase.text("rclone keeps the passwords of its remotes itself. See: rclone config")
    }

    static var notALoginAddress: String {
        Phrase.text("This is not a remote with a login: give webdav+https://USER@HOST/PATH or a synced folder.")
    }

    static func unusableAddress(because mistake: RemoteAccount.Mistake) -> String {
        switch mistake {
        case .foreignScheme, .malformed:
            Phrase.text("This is not the address of a remote: give webdav+https://USER@HOST/PATH.")
        case .password:
            Phrase.text(
                """
                The address has a password in it, which every program of yours can read there. Leave it out; it is asked \
                for.
                """)
        case .unencrypted:
            Phrase.text(
                "webdav+http:// would send the password unencrypted; use webdav+https://, except on this computer.")
        }
    }

    static var userIsMissing: String {
        Phrase.text(
            "Whose password is it? Name the user in the address: webdav+https://USER@HOST/PATH")
    }

    static var notAUser: String {
        Phrase.text("This cannot be the name of a user: it is empty, too long, or has a colon or a control character.")
    }

    static var noPassword: String { Phrase.text("No password was given; nothing is saved.") }

    static var longPassword: String {
        Phrase.text("The password has more than {1} bytes; nothing is saved.", "\(StoredLogin.longestPassword)")
    }

    static func cannotReadPassword(because code: Int32) -> String {
        Phrase.text("The password cannot be read: {1}.", SystemError.description(of: code))
    }

    /// Why the secret service did not do it, and what a person can do.
    static func loginFailure(_ error: SecretStoreError) -> String {
        switch error {
        case .noService:
            Phrase.text(
                """
                There is no secret service on the session bus, and Roundel saves passwords nowhere else. Install and \
                start one: gnome-keyring, or KWallet with its Secret Service interface enabled.
                """)
        case .noEncryption:
            Phrase.text("The secret service offers no encrypted connection, so no password is sent to it.")
        case .locked: Phrase.text("Your keyring is locked. Unlock it and try again.")
        case .dismissed: Phrase.text("Your keyring stays locked, so nothing was changed.")
        case .unanswered: Phrase.text("Nobody answered the question of the keyring, so nothing was changed.")
        case .silent:
            Phrase.text("The secret service did not answer in time. Is it waiting for you? Otherwise restart it.")
        case .refused(let name): Phrase.text("The secret service refused it: {1}.", name)
        case .malformed(let member):
            Phrase.text("The secret service answered {1} in a form that this version does not know.", member)
        case .unusable:
            Phrase.text("This password cannot be used: it is empty, too long, or has a NUL byte.")
        case .disconnected: busClosed
        case .noMemory, .cryptographyFailed: Phrase.text("There is not enough memory to keep a password safely.")
        case .cancelled: cancelled
        }
    }
}
