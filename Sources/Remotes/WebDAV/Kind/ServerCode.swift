package import Remotes
internal import Support

/// What is said about a server that speaks WebDAV. The arguments are in brackets; the path of an item is relative to
/// the folder.
package enum ServerCode: String, RemoteCode {
    // MARK: The server

    /// It cannot be reached, or does not respond. [its address]
    case unreachable = "server-unreachable"
    /// It cannot be reached through the proxy, or does not respond. [its address, the proxy]
    case unreachableThrough = "server-unreachable-through"
    /// It requires a login. [its address]
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

    /// The server rejects the saved login. [its address]
    case passwordRefused = "password-refused"
    /// The server cannot be reached, or does not respond. [its address]
    case notReached = "not-reached"
    /// The server cannot be reached through the proxy, or does not respond. [its address, the proxy]
    case notReachedThrough = "not-reached-through"
    /// Nothing may be written. [its address]
    case readOnly = "read-only"
    /// What answers there is no WebDAV server. [its address]
    case noWebDAV = "no-webdav"
    /// The server fails at what syncing needs. [its address, status]
    case failing
    /// The server has a fault at the moment. [its address, status]
    case failingNow = "failing-now"

    // MARK: A search for servers

    /// No computer has the name. [the name]
    case unknownHost = "unknown-host"
    /// Its certificate is not trusted. [its address, who signed it]
    case untrustedFrom = "untrusted-from"
    /// Its certificate is not trusted: it signed it itself. [its address]
    case untrustedOwn = "untrusted-own"
    /// Its certificate has expired, or is not valid yet. [its address]
    case expired
    /// Its certificate is that of another server. [its address]
    case otherName = "other-name"
    /// It wants a certificate of the person's. [its address]
    case wantsCertificate = "wants-certificate"
    /// The proxy before it refuses to reach it. [its address, the proxy]
    case proxyRefuses = "proxy-refuses"
    /// The proxy before it wants a name and a password, or others. [its address, the proxy]
    case proxyLogin = "proxy-login"
    /// Only a proxy leads to it that this program cannot use. [its address, the proxy]
    case proxyUnusable = "proxy-unusable"
    /// What answers is no server that folders sync with. [the address]
    case noServer = "no-server"
    /// It takes a break. [its address]
    case maintained
    /// It wants people to log in in ways that this program has not. [its address, the ways…]
    case foreignLogin = "foreign-login"
    /// The link lets people look and change nothing. [the address]
    case shareReadOnly = "share-read-only"
    /// The link has a password. [the address]
    case sharePassword = "share-password"
    /// The server lets programs use no links, or the link has ended. [the address]
    case shareClosed = "share-closed"
    /// Whoever is logged in has no such item. [the address]
    case itemUnknown = "item-unknown"

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
        case .unreachable, .unreachableThrough, .proxyRefuses: .passing
        // The network may be another one tomorrow; meanwhile only the person can do something.
        case .proxyLogin, .proxyUnusable: .server
        case .login, .loginRefused, .loginUnreadable: .login
        case .untrusted, .moved, .missing: .server
        case .trouble: .trouble
        case .locked, .cutOff, .tooLarge, .noAnswer, .hiddenName, .passwordRefused, .notReached, .readOnly, .noWebDAV,
            .failing, .failingNow, .unknownHost, .untrustedFrom, .untrustedOwn, .expired, .otherName,
            .wantsCertificate, .notReachedThrough, .noServer,
            .maintained, .foreignLogin, .shareReadOnly, .sharePassword, .shareClosed, .itemUnknown, .noAddress,
            .passwordInAddress, .unencrypted:
            nil
        }
    }

    package func sentence(_ arguments: [String]) -> String {
        switch self {
        case .unreachable:
            return tr("The server {1} cannot be reached. Syncing goes on by itself when it can.", arguments: arguments)
        case .unreachableThrough:
            return tr(
                """
                The server {1} cannot be reached through the proxy {2}. Syncing goes on by itself when it can. If this \
                proxy is not to be used here, change it in your network settings.
                """, arguments: arguments)
        case .login: return tr("The server {1} wants you to log in.", arguments: arguments)
        case .loginRefused:
            return tr("The server {1} refuses the saved password. Log in again.", arguments: arguments)
        case .loginUnreadable:
            return tr(
                """
                The server {1} wants you to log in, and your keyring is locked or does not run. Unlock it; syncing \
                goes on by itself.
                """, arguments: arguments)
        case .untrusted:
            return tr(
                """
                The certificate of the server {1} is not trusted, so nothing is sent there. Ask who runs it, or \
                install its certificate authority on this computer.
                """, arguments: arguments)
        case .moved:
            return tr(
                "The server sends {1} to another address. Remove the folder and add it with the new one.",
                arguments: arguments)
        case .missing:
            return tr("There is no folder at {1}. Make it on the server, or check the address.", arguments: arguments)
        case .trouble:
            return tr(
                "The server gave an answer about “{1}” that cannot be used (status {2}). It is tried again.",
                arguments: arguments)
        case .locked:
            return tr("“{1}” is locked by another program on the server. It is tried again.", arguments: arguments)
        case .cutOff:
            return tr(
                "The server ended the connection in the middle of “{1}”. It is tried again after a while.",
                arguments: arguments)
        case .tooLarge:
            return tr(
                """
                The server takes no file as large as “{1}”. Ask who runs it to allow larger uploads, or exclude the \
                file.
                """, arguments: arguments)
        case .noAnswer:
            return tr(
                "The server gave no answer about “{1}” in time. It is tried again after a while.", arguments: arguments)
        case .hiddenName:
            return tr(
                """
                “{1}” is not synced: this server does not show names that begin with a dot, so nobody could tell \
                whether it was deleted. Rename or exclude it.
                """, arguments: arguments)
        case .passwordRefused:
            return tr(
                "The server {1} refuses the password that is saved for it. Log in again.", arguments: arguments)
        case .notReached:
            return tr("The server {1} cannot be reached. Check the address and your network.", arguments: arguments)
        case .notReachedThrough:
            return tr(
                """
                The server {1} cannot be reached through the proxy {2}. Check the address, your network, and the proxy in \
                your network settings.
                """, arguments: arguments)
        case .readOnly: return tr("The server does not let you write to {1}.", arguments: arguments)
        case .noWebDAV:
            return tr(
                """
                What answers at {1} does not understand WebDAV. Check the address: servers often have it below a \
                path, Nextcloud below /remote.php/dav/files/USER.
                """, arguments: arguments)
        case .failing:
            return tr(
                """
                The server at {1}, or a proxy before it, fails at what syncing needs (status {2}). Nothing was \
                added. Try again later, or ask who runs it.
                """, arguments: arguments)
        case .failingNow:
            return tr("The server {1}, or a proxy before it, has a fault now (status {2}).", arguments: arguments)
        case .unknownHost:
            return tr("There is no server named {1}. Check the address and your network.", arguments: arguments)
        case .untrustedFrom:
            return tr(
                """
                The certificate of the server {1} is signed by “{2}”, which this computer does not trust, so nothing is \
                sent there. Ask who runs it for the file of that certificate authority, and give that file.
                """, arguments: arguments)
        case .untrustedOwn:
            return tr(
                """
                The certificate of the server {1} is signed by nobody but itself, so nothing is sent there. Ask who \
                runs it for the certificate as a file, and give that file.
                """, arguments: arguments)
        case .expired:
            return tr(
                """
                The certificate of the server {1} has expired or is not valid yet, so nothing is sent there. Check this \
                computer's clock, or ask who runs the server.
                """, arguments: arguments)
        case .otherName:
            return tr(
                "The certificate of the server {1} is for another name, so nothing is sent there. Check the address.",
                arguments: arguments)
        case .wantsCertificate:
            return tr(
                "The server {1} wants a certificate of yours. Give the files of it and of its key.",
                arguments: arguments)
        case .proxyRefuses:
            return tr(
                """
                The proxy {2}, through which this computer reaches {1}, refuses that, or the name and the password that it \
                was given. Check the proxy in your network settings, or ask who runs it.
                """, arguments: arguments)
        case .proxyLogin:
            return tr(
                """
                The proxy {2}, through which this computer reaches {1}, wants a name and a password, and has none or \
                others. Enter them where the proxy is set, as http://NAME:PASSWORD@HOST:PORT, or ask who runs the proxy \
                for one without a password.
                """, arguments: arguments)
        case .proxyUnusable:
            return tr(
                """
                Your network settings say that {1} is reached through the proxy {2}, which Roundel cannot use. It knows \
                HTTP proxies, and SOCKS 5 without a password: enter such a proxy.
                """, arguments: arguments)
        case .noServer:
            return tr(
                """
                Nothing at {1} can be synced with: neither Nextcloud, ownCloud nor another WebDAV server answers. \
                Check the address.
                """, arguments: arguments)
        case .maintained:
            return tr("The server {1} is being maintained. Try again later.", arguments: arguments)
        case .foreignLogin:
            return tr(
                "The server {1} wants you to log in in a way that Roundel does not know ({2}).",
                arguments: [arguments.first ?? "", TextList.of(Array(arguments.dropFirst()))])
        case .shareReadOnly:
            return tr(
                """
                The link {1} lets you look and change nothing, and Roundel syncs in both directions. Ask for a link \
                that allows changes, or for a share with your account.
                """, arguments: arguments)
        case .sharePassword:
            return tr(
                """
                The link {1} is protected by a password, and cannot be synced with. Ask who shares it to share it with \
                your account.
                """, arguments: arguments)
        case .shareClosed:
            return tr(
                """
                The link {1} has ended, or its server lets only browsers open it. Ask who shares it to share it with \
                your account.
                """, arguments: arguments)
        case .itemUnknown:
            return tr(
                """
                The server does not tell which folder {1} is. Open the folder in the browser and copy the address from \
                there.
                """, arguments: arguments)
        case .noAddress: return tr("This is not the address of a remote: give webdav+https://USER@HOST/PATH.")
        case .passwordInAddress:
            return tr("The address has a password in it. Leave it out; it is asked for.")
        case .unencrypted:
            return tr("webdav+http:// would send files unencrypted; use webdav+https://, except on this computer.")
        }
    }
}
