/// A message about an item or a folder as data: a code, the side that it is about, and arguments. The code that shows
/// it makes a sentence of it.
package struct Explanation: Hashable, Sendable {
    /// What a kind of remote says in its own terms. The session passes it on; only the kind knows what it means.
    package struct ForeignCode: Hashable, Sendable {
        /// Whose code it is, in lower-case letters.
        package let domain: String
        /// What it says. Stored in databases, so a name is never reused with another meaning.
        package let name: String

        /// Creates a code of a domain.
        package init(_ name: String, of domain: String) { (self.domain, self.name) = (domain, name) }
    }

    /// What the message says. The arguments are in brackets; the path of an item is relative to the folder, and empty
    /// for the folder itself. The raw values are stored in databases, so they are never reused with another meaning.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// No message.
        case nothing = ""
        /// A complete sentence that an earlier version stored. [sentence]
        case text

        // MARK: Items

        /// There is no rule for the state of the item: a bug of this program.
        case undecided
        /// Directories were moved into each other, each on one of the sides.
        case movedIntoEachOther = "moved-into-each-other"
        /// A directory was moved into itself on the two sides.
        case movedIntoItself = "moved-into-itself"
        /// An item that is not synced has the same path on the other side.
        case obstructed
        /// A file system that was mounted before is not mounted. [path]
        case unmounted
        /// Another file system than before is mounted. [path]
        case mountReplaced = "mount-replaced"
        /// A file system is mounted over synced items. [path]
        case mountCovers = "mount-covers"
        /// Symbolic links are not synced.
        case symbolicLink = "symbolic-link"
        /// Sockets, devices and pipes are not synced.
        case specialFile = "special-file"
        /// The side keeps no permissions, so private files are not private there.
        case permissionsNotKept = "permissions-not-kept"

        // MARK: Why an item waits

        /// The folder is paused.
        case waitsPaused = "waits-paused"
        /// Another item comes first. [path]
        case waitsForItem = "waits-for-item"
        /// It was not seen on both sides yet.
        case waitsForLook = "waits-for-look"
        /// It is its turn soon.
        case waitsForTurn = "waits-for-turn"
        /// It is being synced.
        case underWay = "under-way"
        /// It is in conflict with another item. [path]
        case inConflict = "in-conflict"
        /// A pattern excludes its name.
        case excludedName = "excluded-name"
        /// Items in a directory are not synced. [errors, conflicts, other items]
        case contentsWait = "contents-wait"

        // MARK: Decisions on conflicts

        /// The local version of a conflict no longer exists.
        case localVersionGone = "local-version-gone"
        /// The version to remove contains the version to keep. [loser, winner]
        case winnerInLoser = "winner-in-loser"
        /// The version to remove contains items that could not be synced. [path]
        case loserHoldsUnsynced = "loser-holds-unsynced"
        /// A version changed before the decision was carried out.
        case versionChanged = "version-changed"

        // MARK: Folders

        /// A root does not exist. [absolute path]
        case rootMissing = "root-missing"
        /// A root cannot be opened. [absolute path, error number of the system]
        case rootUnusable = "root-unusable"
        /// The folder is on demand, and it is not mounted yet or any more. [absolute path]
        case notMountedYet = "not-mounted-yet"
        /// A root is a copy of the synced one.
        case rootCopied = "root-copied"
        /// A root is not the synced one.
        case rootReplaced = "root-replaced"
        /// The remote seems to have been restored from a backup. [files at older versions, missing items]
        case remoteRestored = "remote-restored"
        /// Deletions wait for confirmation. [their number, deletions within the last hour]
        case deletionsWait = "deletions-wait"
        /// A side does not respond. [absolute path of the folder]
        case silent
        /// The database is damaged and was set aside. [its path, message of SQLite]
        case storeDamaged = "store-damaged"
        /// A later version wrote the database. [its path]
        case storeLater = "store-later"
        /// Another program has locked the database. [its path]
        case storeLocked = "store-locked"
        /// There is no space for the database. [its path]
        case storeFull = "store-full"
        /// The database cannot be used. [its path, message of SQLite]
        case storeUnusable = "store-unusable"
        /// A side is busy and asks to be left alone for a while. [its address, seconds to wait if it told them]
        case busy = "server-busy"

        // MARK: Why something was not done

        /// The item no longer exists. [path]
        case gone
        /// The item is not on the expected file system. [path]
        case onAnotherFileSystem = "on-another-file-system"
        /// The name is already in use. [path]
        case taken
        /// A directory is not empty. [path]
        case notEmpty = "not-empty"
        /// There is no space left. [path]
        case noSpace = "no-space"
        /// There is less space than a file needs. [path, bytes needed, bytes free]
        case tooLittleSpace = "too-little-space"
        /// A file would leave less free space than required. [path, bytes needed, bytes to leave]
        case nearlyFull = "nearly-full"
        /// The file system is read-only. [path]
        case readOnly = "read-only"
        /// Permission is denied. [path]
        case denied
        /// The remote does not let its user put anything into the directory. [path, directory, who shares it if known]
        case readOnlyDirectory = "read-only-directory"
        /// The remote does not let its user change the file, so the local version is kept beside it. [path, who shares it if
        /// known]
        case readOnlyFile = "read-only-file"
        /// The remote does not let its user delete the item, which came back. [path, who shares it if known]
        case notDeletable = "not-deletable"
        /// The remote does not let its user move the item, which went back to its place. [path, who shares it if known]
        case notMovable = "not-movable"
        /// The name cannot be used. [path]
        case unusableName = "unusable-name"
        /// The item is in use, for example by a mount. [path]
        case inUse = "in-use"
        /// The file is too large for the file system. [path]
        case tooLarge = "too-large"
        /// The place does not respond. [path, error number of the system]
        case unreachable
        /// Reading or writing failed. [path, error number of the system]
        case failed
        /// The staged contents no longer exist. [path]
        case contentsGone = "contents-gone"
        /// A move leads to another file system. [path, new path]
        case movedAcross = "moved-across"
        /// Another name differs only in case or spelling. [path]
        case nameClash = "name-clash"
        /// A program is writing the file. [path]
        case beingWritten = "being-written"
        /// There is no usable trash for the item. [path]
        case noTrash = "no-trash"
        /// The item's file system is not mounted. [path]
        case notMounted = "not-mounted"
        /// The item changed in the meantime. [path]
        case changed
        /// There is not enough memory.
        case noMemory = "no-memory"
        /// The transfer was abandoned.
        case abandoned
        /// A copy came out shorter or longer than what was written.
        case wrongLength = "wrong-length"
        /// The contents that arrived have another hash than those that were sent. [path]
        case wrongContents = "wrong-contents"
        /// Replaced and deleted versions cannot be kept. [path]
        case cannotKeep = "cannot-keep"
        /// A version is larger than the store of kept versions, so it is not kept. [path]
        case tooLargeToKeep = "too-large-to-keep"
        /// A version is not kept. [path]
        case notKept = "not-kept"
        /// There are too many restored versions next to the item. [path]
        case tooManyRestored = "too-many-restored"
        /// An item in the path is not a directory. [path]
        case inTheWay = "in-the-way"
        /// A rehearsal changes nothing.
        case rehearsal
        /// The folder cannot hold files without their contents. [path]
        case notOnDemand = "not-on-demand"
        /// The file has several names, so its contents cannot be freed. [path]
        case severalNames = "several-names"
        /// The file is always kept on this computer, so it is not freed. [path]
        case pinned
        /// A file was here without its contents, and they are no longer at the remote.
        case contentsNowhere = "contents-nowhere"

        // MARK: What could not be kept

        /// Permissions: the file system is read-only. [path, permissions]
        case permissionsReadOnly = "permissions-read-only"
        /// Permissions: the item belongs to another user. [path, permissions]
        case permissionsForeign = "permissions-foreign"
        /// Permissions: the file system stores none. [path, permissions]
        case permissionsUnsupported = "permissions-unsupported"
        /// Attributes of a replaced file. [path, which: `group`, `owner`, names of extended attributes…]
        case attributesLost = "attributes-lost"
    }

    fileprivate enum Meaning: Hashable, Sendable {
        case own(Code)
        case foreign(ForeignCode)
    }

    private let meaning: Meaning
    /// The side that it is about.
    package let side: Side?
    /// The arguments; see ``Code``.
    package let arguments: [String]

    /// What the message says; nil for a foreign code.
    package var code: Code? {
        switch meaning {
        case .own(let code): code
        case .foreign: nil
        }
    }

    /// What the message says in the terms of a kind of remote; nil for a code of ``Code``.
    package var foreignCode: ForeignCode? {
        switch meaning {
        case .own: nil
        case .foreign(let code): code
        }
    }

    /// Creates a message with these arguments.
    package init(_ code: Code, _ side: Side? = nil, _ arguments: String...) {
        self.init(code, side, arguments)
    }

    /// Creates a message with these arguments.
    package init(_ code: Code, _ side: Side?, _ arguments: [String]) {
        self.init(.own(code), side, arguments)
    }

    /// Creates a message of a kind of remote with these arguments.
    package init(_ code: ForeignCode, _ side: Side?, _ arguments: [String]) {
        self.init(.foreign(code), side, arguments)
    }

    private init(_ meaning: Meaning, _ side: Side?, _ arguments: [String]) {
        self.meaning = meaning
        self.side = side
        self.arguments = arguments
    }

    /// No message.
    package static let nothing = Explanation(.nothing)

    /// How long a side asked not to be asked again; nil if it did not say.
    var requestedWait: Duration? {
        guard code == .busy, arguments.count > 1 else { return nil }
        return Int64(arguments[1]).map { .seconds(max(1, $0)) }
    }

    /// Whether there is no message.
    package var isEmpty: Bool { code == .nothing }
}

/// How an explanation is stored in a database: `@code side`, then the arguments, each after a tab. A foreign code is
/// `domain/name`.
extension Explanation {
    private static let mark: Character = "@"
    fileprivate static let domainEnd: Character = "/"

    /// The text for the database; "" for no message.
    package var stored: String {
        if code == .nothing { return "" }
        if code == .text, let text = arguments.first, text.first != Self.mark { return text }
        let place = side.map { $0 == .local ? " local" : " remote" } ?? ""
        return "\(Self.mark)\(meaning.text)\(place)" + arguments.map { "\t" + Self.quoted($0) }.joined()
    }

    /// Reads the text from a database. A text that this version did not write becomes the message itself.
    package init(stored text: String) {
        self = Self.parsed(text) ?? (text.isEmpty ? .nothing : Explanation(.text, nil, text))
    }

    /// Reads a message that an earlier version stored with a code that is a kind's of remote now; the domain is empty.
    /// Nil for any other text.
    package init?(former text: String) {
        guard text.first == Self.mark, let said = Self.parsed("\(Self.mark)\(Self.domainEnd)\(text.dropFirst())")
        else { return nil }
        self = said
    }

    private static func parsed(_ text: String) -> Explanation? {
        guard text.first == mark else { return nil }
        let fields = text.dropFirst().split(separator: "\t", omittingEmptySubsequences: false)
        let words = fields[0].split(separator: " ", omittingEmptySubsequences: false)
        guard let meaning = Meaning(words[0]), words.count <= 2 else { return nil }
        var side: Side?
        if words.count == 2 {
            guard let known = [Side.local, .remote].first(where: { ($0 == .local ? "local" : "remote") == words[1] })
            else { return nil }
            side = known
        }
        return Explanation(meaning, side, fields.dropFirst().map { unquoted($0) })
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

extension Explanation.Meaning {
    /// Parses ``text``; nil for a code that this version does not know.
    fileprivate init?(_ text: Substring) {
        if let end = text.firstIndex(of: Explanation.domainEnd) {
            self = .foreign(.init(String(text[text.index(after: end)...]), of: String(text[..<end])))
        } else if let code = Explanation.Code(rawValue: String(text)), code != .nothing {
            self = .own(code)
        } else {
            return nil
        }
    }

    /// The code as it is stored.
    fileprivate var text: String {
        switch self {
        case .own(let code): code.rawValue
        case .foreign(let code): code.domain + String(Explanation.domainEnd) + code.name
        }
    }
}
