import Secrets
import Support

/// The sentences of `login` and `logout`. They contain no passwords, and no addresses, which might include one.
extension Text {
    static func askForUser(at server: String) -> String { Phrase.text("User name at {1}: ", server) }

    static func askForPassword(of user: String, at server: String) -> String {
        Phrase.text("Password of {1} at {2}: ", user, server)
    }

    static func loggedIn(_ user: String, at server: String) -> String {
        Phrase.text("The password of “{1}” at {2} is saved in your keyring.", user, server)
    }

    static func passwordNotTried(because sentence: String) -> String {
        Phrase.text("The password is saved, but could not be tried: {1}", sentence)
    }

    static func takenBack(_ user: String, at server: String) -> String {
        Phrase.text(
            "The password of “{1}” at {2} was taken back there, and deleted from your keyring.", user, server)
    }

    static func syncsAgain(_ path: String) -> String { Phrase.text("{1} syncs with it.", path) }

    static func loggedOut(_ user: String, at server: String) -> String {
        Phrase.text("The password of “{1}” at {2} was deleted from your keyring.", user, server)
    }

    /// - Parameter word: The folder as a word of a shell command.
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

    static func logInOnPage(_ address: String, at server: String) -> String {
        Phrase.text("Log in at {1} on this page, which waits for twenty minutes: {2}", server, address)
    }

    static func anotherUser(_ user: String, than named: String) -> String {
        Phrase.text(
            "You logged in as “{1}”, but the address names “{2}”: what syncs with it cannot use that.", user, named)
    }
}
