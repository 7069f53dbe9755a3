/// What is to be said of an item or a folder, as data: a code, the side that it is about, and arguments. It becomes a
/// sentence where it is shown.
package struct Explanation: Hashable, Sendable {
    /// What is said. The words in brackets are the arguments; an item's path is relative to the folder, and empty for the
    /// folder itself. The raw values stand in databases: they are never used for something else.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// Nothing.
        case nothing = ""
        /// A sentence of an earlier version, as it is. [sentence]
        case text

        // MARK: Items

        /// Nobody knows what to do with the item: a fault of this program.
        case undecided
        /// Directories were moved into each other, each on one of the sides.
        case movedIntoEachOther = "moved-into-each-other"
        /// A directory was moved into itself on the two sides.
        case movedIntoItself = "moved-into-itself"
        /// Something that is not synced stands in the item's place on the other side.
        case obstructed
        /// A file system that was mounted is not. [path]
        case unmounted
        /// Another file system than before is mounted. [path]
        case mountReplaced = "mount-replaced"
        /// A file system is mounted over what was synced. [path]
        case mountCovers = "mount-covers"
        /// Symbolic links are not synced.
        case symbolicLink = "symbolic-link"
        /// Sockets, devices and pipes are not synced.
        case specialFile = "special-file"
        /// The side keeps no permissions, so private files are not private there.
        case permissionsNotKept = "permissions-not-kept"

        // MARK: Decisions on conflicts

        /// The local version of a conflict is not there any more.
        case localVersionGone = "local-version-gone"
        /// The version that is to go holds the one that is to stay. [loser, winner]
        case winnerInLoser = "winner-in-loser"
        /// The version that is to go holds items that could not be synced. [path]
        case loserHoldsUnsynced = "loser-holds-unsynced"
        /// A version changed before the decision was carried out.
        case versionChanged = "version-changed"

        // MARK: Folders

        /// A root is not there. [absolute path]
        case rootMissing = "root-missing"
        /// A root cannot be opened. [absolute path, number of the system's error]
        case rootUnusable = "root-unusable"
        /// A root is a copy of the one that was synced.
        case rootCopied = "root-copied"
        /// A root is another one than was synced.
        case rootReplaced = "root-replaced"
        /// The remote looks restored from a backup. [files at older versions, missing items]
        case remoteRestored = "remote-restored"
        /// Deletions wait to be confirmed. [their number, deletions within the last hour]
        case deletionsWait = "deletions-wait"
        /// A side does not answer. [absolute path of the folder]
        case silent
        /// The database is damaged and set aside. [its path, what SQLite says]
        case storeDamaged = "store-damaged"
        /// A later version wrote the database. [its path]
        case storeLater = "store-later"
        /// Another program has locked the database. [its path]
        case storeLocked = "store-locked"
        /// There is no space for the database. [its path]
        case storeFull = "store-full"
        /// The database cannot be used. [its path, what SQLite says]
        case storeUnusable = "store-unusable"

        // MARK: Servers

        /// The server cannot be reached, or does not answer. [its address]
        case serverUnreachable = "server-unreachable"
        /// The server wants a login, or another one than it got. [its address]
        case serverLogin = "server-login"
        /// The server wants a login, and whether one is saved cannot be found out. [its address]
        case serverLoginUnreadable = "server-login-unreadable"
        /// The server's certificate is not trusted. [its address]
        case serverUntrusted = "server-untrusted"
        /// The server sends to another address. [its address]
        case serverMoved = "server-moved"
        /// The server is busy and asks to wait. [its address]
        case serverBusy = "server-busy"
        /// There is no collection at the address. [the address]
        case collectionMissing = "collection-missing"
        /// The server answered something that is no answer. [path, status of the answer or 0]
        case serverTrouble = "server-trouble"
        /// Somebody has locked the item. [path]
        case locked
        /// The server does not show names that begin with a dot. [path]
        case hiddenName = "hidden-name"

        // MARK: Why something was not done

        /// The item is not there any more. [path]
        case gone
        /// The item is on another file system than it should be. [path]
        case onAnotherFileSystem = "on-another-file-system"
        /// Something has the name already. [path]
        case taken
        /// A directory is not empty. [path]
        case notEmpty = "not-empty"
        /// There is no space left. [path]
        case noSpace = "no-space"
        /// There is less space than a file needs. [path, bytes needed, bytes free]
        case tooLittleSpace = "too-little-space"
        /// A file would leave less space than is to be left free. [path, bytes needed, bytes to leave]
        case nearlyFull = "nearly-full"
        /// The file system is read-only. [path]
        case readOnly = "read-only"
        /// It is not permitted. [path]
        case denied
        /// The name cannot be used. [path]
        case unusableName = "unusable-name"
        /// The item is in use, as by a mount. [path]
        case inUse = "in-use"
        /// The file is too large for the file system. [path]
        case tooLarge = "too-large"
        /// The place does not answer. [path, number of the system's error]
        case unreachable
        /// Reading or writing failed. [path, number of the system's error]
        case failed
        /// The contents that were to be placed are gone. [path]
        case contentsGone = "contents-gone"
        /// A move leads to another file system. [path, new path]
        case movedAcross = "moved-across"
        /// Another name differs only in case or spelling. [path]
        case nameClash = "name-clash"
        /// Somebody writes the file. [path]
        case beingWritten = "being-written"
        /// There is no trash that could take the item. [path]
        case noTrash = "no-trash"
        /// The item's file system is not mounted. [path]
        case notMounted = "not-mounted"
        /// The item changed meanwhile. [path]
        case changed
        /// There is no memory left.
        case noMemory = "no-memory"
        /// The transfer was abandoned.
        case abandoned
        /// A copy came out shorter or longer than what was written.
        case wrongLength = "wrong-length"
        /// What arrived has another hash than what was to be sent. [path]
        case wrongContents = "wrong-contents"
        /// What is replaced and deleted cannot be kept. [path]
        case cannotKeep = "cannot-keep"
        /// A version is not kept. [path]
        case notKept = "not-kept"
        /// Too many restored versions stand beside the item. [path]
        case tooManyRestored = "too-many-restored"
        /// Something that is no directory is in the way. [path]
        case inTheWay = "in-the-way"
        /// A rehearsal changes nothing.
        case rehearsal

        // MARK: What could not be kept

        /// Permissions: the file system is read-only. [path, permissions]
        case permissionsReadOnly = "permissions-read-only"
        /// Permissions: the item belongs to another user. [path, permissions]
        case permissionsForeign = "permissions-foreign"
        /// Permissions: the file system keeps none. [path, permissions]
        case permissionsUnsupported = "permissions-unsupported"
        /// What a replaced file carried. [path, what: `group`, `owner`, names of extended attributes…]
        case attributesLost = "attributes-lost"
    }

    /// What is said.
    package var code: Code
    /// Where.
    package var side: Side?
    /// See ``Code``.
    package var arguments: [String]

    /// Says something with these arguments.
    package init(_ code: Code, _ side: Side? = nil, _ arguments: String...) {
        self.init(code, side, arguments)
    }

    /// Says something with these arguments.
    package init(_ code: Code, _ side: Side?, _ arguments: [String]) {
        self.code = code
        self.side = side
        self.arguments = arguments
    }

    /// Nothing is to be said.
    package static let nothing = Explanation(.nothing)

    /// Whether nothing is to be said.
    package var isEmpty: Bool { code == .nothing }
}

/// How an explanation stands in a database: `@code side`, then the arguments, each after a tab.
extension Explanation {
    private static let mark: Character = "@"

    /// The text for the database; "" for nothing.
    package var stored: String {
        if code == .nothing { return "" }
        if code == .text, let text = arguments.first, text.first != Self.mark { return text }
        let place = side.map { $0 == .local ? " local" : " remote" } ?? ""
        return "\(Self.mark)\(code.rawValue)\(place)" + arguments.map { "\t" + Self.quoted($0) }.joined()
    }

    /// What a text of the database says. One that this version did not write is shown as it is.
    package init(stored text: String) {
        self = Self.parsed(text) ?? (text.isEmpty ? .nothing : Explanation(.text, nil, text))
    }

    private static func parsed(_ text: String) -> Explanation? {
        guard text.first == mark else { return nil }
        let fields = text.dropFirst().split(separator: "\t", omittingEmptySubsequences: false)
        let words = fields[0].split(separator: " ", omittingEmptySubsequences: false)
        guard let code = Code(rawValue: String(words[0])), code != .nothing, words.count <= 2 else { return nil }
        var side: Side?
        if words.count == 2 {
            guard let known = [Side.local, .remote].first(where: { ($0 == .local ? "local" : "remote") == words[1] })
            else { return nil }
            side = known
        }
        return Explanation(code, side, fields.dropFirst().map { unquoted($0) })
    }

    private static func quoted(_ text: String) -> String {
        var quoted = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": quoted += "\\\\"
            case "\t": quoted += "\\t"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted
    }

    private static func unquoted(_ text: Substring) -> String {
        var plain = ""
        var isQuoted = false
        for scalar in text.unicodeScalars {
            if isQuoted {
                plain += scalar == "t" ? "\t" : String(Character(scalar))
                isQuoted = false
            } else if scalar == "\\" {
                isQuoted = true
            } else {
                plain.unicodeScalars.append(scalar)
            }
        }
        return plain
    }
}
