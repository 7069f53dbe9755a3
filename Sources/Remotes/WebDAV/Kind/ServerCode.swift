package import Remotes
internal import Support

/// What is said about a server that speaks WebDAV. The arguments are in brackets; the path of an item is relative to
/// the folder.
package enum ServerCode: String, RemoteCode {
    // MARK: The server

    /// It cannot be reached, or does not respond. [its address]
    case unreachable = "server-unreachable"
    /// It requires a login. [its address, the place as a word of a shell command if there is no folder yet]
    case login = "server-login"
    /// It rejects the login it got. [its address]
    case loginRefused = "server-login-refused"
    /// It requires a login, and the saved one cannot be read. [its address]
    case loginUnreadable = "server-login-unreadable"
    /// Its certificate is not trusted. [its address]
    case untrusted = "server-untrusted"
    /// It redirects to another address. [its address]
    case moved = "server-moved"
    /// There is no collection at the address. [the address]
    case missing = "collection-missing"

    // MARK: An item

    /// The response is not valid. [path, status of the response or 0]
    case trouble = "server-trouble"
    /// The item is locked by another client. [path]
    case locked
    /// The server ends the connection in the middle of the contents. [path]
    case cutOff = "cut-off"
    /// The server, or a proxy, takes no file of this size. [path]
    case tooLarge = "too-large-for-server"
    /// A proxy gets no answer from the server about the item. [path]
    case noAnswer = "no-answer"
    /// The server does not list names that begin with a dot. [path]
    case hiddenName = "hidden-name"

    // MARK: A place that was tried out

    /// The server rejects the saved login. [its address, the place as a word of a shell command]
    case passwordRefused = "password-refused"
    /// The server cannot be reached, or does not respond. [its address]
    case notReached = "not-reached"
    /// Nothing may be written. [its address]
    case readOnly = "read-only"
    /// What answers there is no WebDAV server. [its address]
    case noWebDAV = "no-webdav"
    /// The server fails at what syncing needs. [its address, status]
    case failing
    /// The server has a fault at the moment. [its address, status]
    case failingNow = "failing-now"

    // MARK: An address

    /// It is not the address of a collection.
    case noAddress = "no-address"
    /// It contains a password.
    case passwordInAddress = "password-in-address"
    /// It is not encrypted, and the host is another computer.
    case unencrypted

    package static var domain: String { "webdav" }

    package static func former(_ name: String, _ arguments: [String]) -> ServerCode? {
        // Messages of rclone had the same names, and differed in what they were about.
        arguments.first?.hasPrefix("rclone:") == true ? nil : ServerCode(rawValue: name)
    }

    package var absence: RemoteAbsence? {
        switch self {
        case .unreachable: .passing
        case .login, .loginRefused, .loginUnreadable: .login
        case .untrusted, .moved, .missing: .server
        case .trouble: .trouble
        case .locked, .cutOff, .tooLarge, .noAnswer, .hiddenName, .passwordRefused, .notReached, .readOnly, .noWebDAV,
            .failing, .failingNow, .noAddress, .passwordInAddress, .unencrypted:
            nil
        }
    }

    package func sentence(_ arguments: [String], folder: String?) -> String {
        let filled = Array(arguments.prefix(1)) + (folder.map { [$0] } ?? Array(arguments.dropFirst()))
        func say(_ sentence: StaticString) -> String { Phrase.text(sentence, arguments: arguments) }
        func sayWithFolder(_ sentence: StaticString, without: StaticString) -> String {
            filled.count > 1 ? Phrase.text(sentence, arguments: filled) : say(without)
        }
        switch self {
        case .unreachable: return say("The server {1} cannot be reached. Syncing goes on by itself when it can.")
        case .login:
            return sayWithFolder(
                "The server {1} wants you to log in. Run: roundel login {2}",
                without: "The server {1} wants you to log in. Run: roundel login, with the folder's path")
        case .loginRefused:
            return sayWithFolder(
                "The server {1} refuses the saved password. Run: roundel login {2}",
                without: "The server {1} refuses the saved password. Run: roundel login, with the folder's path")
        case .loginUnreadable:
            return say(
                """
                The server {1} wants you to log in, and your keyring is locked or does not run. Unlock it; syncing goes \
                on by itself.
                """)
        case .untrusted:
            return say(
                """
                The certificate of the server {1} is not trusted, so nothing is sent there. Ask who runs it, or \
                install its certificate authority on this computer.
                """)
        case .moved:
            return say("The server sends {1} to another address. Remove the folder and add it with the new one.")
        case .missing: return say("There is no folder at {1}. Make it on the server, or check the address.")
        case .trouble:
            return say("The server gave an answer about “{1}” that cannot be used (status {2}). It is tried again.")
        case .locked: return say("“{1}” is locked by another program on the server. It is tried again.")
        case .cutOff:
            return say("The server ended the connection in the middle of “{1}”. It is tried again after a while.")
        case .tooLarge:
            return say(
                """
                The server takes no file as large as “{1}”. Ask who runs it to allow larger uploads, or exclude the file.
                """)
        case .noAnswer: return say("The server gave no answer about “{1}” in time. It is tried again after a while.")
        case .hiddenName:
            return say(
                """
                “{1}” is not synced: this server does not show names that begin with a dot, so nobody could \
                tell whether it was deleted. Rename or exclude it.
                """)
        case .passwordRefused:
            return say("The server {1} refuses the password that is saved for it. Run: roundel login {2}")
        case .notReached: return say("The server {1} cannot be reached. Check the address and your network.")
        case .readOnly: return say("The server does not let you write to {1}.")
        case .noWebDAV:
            return say(
                """
                What answers at {1} does not understand WebDAV. Check the address: servers often have it below a path, \
                Nextcloud below /remote.php/dav/files/USER.
                """)
        case .failing:
            return say(
                """
                The server at {1}, or a proxy before it, fails at what syncing needs (status {2}). Nothing was added. Try \
                again later, or ask who runs it.
                """)
        case .failingNow: return say("The server {1}, or a proxy before it, has a fault now (status {2}).")
        case .noAddress: return say("This is not the address of a remote: give webdav+https://USER@HOST/PATH.")
        case .passwordInAddress:
            return say("The address has a password in it. Leave it out; save it with: roundel login")
        case .unencrypted:
            return say("webdav+http:// would send files unencrypted; use webdav+https://, except on this computer.")
        }
    }
}
