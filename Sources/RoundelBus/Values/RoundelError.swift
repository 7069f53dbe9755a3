internal import Support

/// A refusal or failure on the bus: a name for programs and a sentence for the user.
public struct RoundelError: Error, Hashable, Sendable {
    /// The errors of the interface.
    public enum Code: String, CaseIterable, Sendable {
        /// A URI that does not identify an item of this machine, or a folder that cannot be registered.
        case invalidURI = "InvalidUri"
        /// A name that cannot be the name of an item.
        case invalidName = "InvalidName"
        /// The caller does not observe the directory.
        case notObserving = "NotObserving"
        /// More directories, names or items than the interface allows.
        case limitExceeded = "LimitExceeded"
        /// The folder is already registered, or lies inside another one of the same provider.
        case folderTaken = "FolderTaken"
        /// The folder lies above or below another provider's, and the user has not consented yet.
        case consentNeeded = "ConsentNeeded"
        /// The provider has nothing in this directory.
        case notYourFolder = "NotYourFolder"
        /// The caller has not registered as a provider.
        case notRegistered = "NotRegistered"
        /// The ID belongs to another program.
        case identityTaken = "IdentityTaken"
        /// The badge belongs to another provider.
        case badgeTaken = "BadgeTaken"
        /// The menu belongs to another caller, is too old, or its provider is gone.
        case staleMenu = "StaleMenu"
        /// The menu has no such item.
        case unknownItem = "UnknownItem"
        /// No provider has this ID.
        case unknownProvider = "UnknownProvider"
        /// The provider runs, and the call is not allowed for running ones.
        case providerRunning = "ProviderRunning"
        /// The item's provider offers no such service.
        case noSuchService = "NoSuchService"
        /// The provider ended before it answered.
        case providerGone = "ProviderGone"
        /// The provider replied with an error or an invalid answer.
        case providerFailed = "ProviderFailed"
        /// The provider did not reply in time.
        case providerTimeout = "ProviderTimeout"
        /// The user cancelled the action.
        case cancelled = "Cancelled"
        /// No synced folder has this ID or contains this path, or it is not a folder of this provider.
        case unknownFolder = "UnknownFolder"
        /// The folder to sync is not a directory.
        case notADirectory = "NotADirectory"
        /// The remote cannot be used.
        case invalidRemote = "InvalidRemote"
        /// The server of the remote requires a login but none is saved, or it refuses the saved one.
        case loginNeeded = "LoginNeeded"
        /// The certificate of the server is not trusted; the file of its certificate authority is needed.
        case untrustedServer = "UntrustedServer"
        /// The server wants a certificate of the person's.
        case certificateNeeded = "CertificateNeeded"
        /// The key of the person's certificate has a passphrase, which is missing or another one.
        case passphraseNeeded = "PassphraseNeeded"
        /// This version cannot sync with remotes of this kind.
        case unsupportedRemote = "UnsupportedRemote"
        /// This version does not support the requested option.
        case unsupported = "Unsupported"
        /// The folder is paused.
        case folderPaused = "FolderPaused"
        /// The folder waits until the person has answered what it asks.
        case answerNeeded = "AnswerNeeded"
        /// Nothing that is synced is at this path.
        case notSynced = "NotSynced"
        /// The text cannot be a pattern of excluded items.
        case invalidPattern = "InvalidPattern"
        /// A bandwidth limit, or its hours, are not valid.
        case invalidLimit = "InvalidLimit"
        /// A moment to come is past, or is not one.
        case invalidTime = "InvalidTime"
        /// The folder has no such pattern.
        case unknownPattern = "UnknownPattern"
        /// Neither path is in conflict.
        case noConflict = "NoConflict"
        /// No version of the item was kept.
        case notInTrash = "NotInTrash"
        /// The folder that a kept version belongs to is missing; it can be restored elsewhere.
        case placeGone = "PlaceGone"
        /// The folder is not on demand.
        case notOnDemand = "NotOnDemand"
        /// The item is always kept on this computer.
        case pinned = "Pinned"
        /// A program has the item open.
        case inUse = "InUse"
        /// What folders on demand need is not installed.
        case noFuse = "NoFuse"
        /// The contents of some items are on the remote alone.
        case placeholdersLeft = "PlaceholdersLeft"
        /// Another error, which the sentence describes.
        case failed = "Failed"
        /// The arguments of the call do not fit the interface; a standard error of D-Bus.
        case invalidArguments = "InvalidArgs"
        /// The caller may not do this; a standard error of D-Bus.
        case accessDenied = "AccessDenied"

        /// The full name on the bus.
        public var name: String {
            (isStandard ? "org.freedesktop.DBus.Error." : Names.errorPrefix) + rawValue
        }

        private var isStandard: Bool { self == .invalidArguments || self == .accessDenied }

        /// The code of a name on the bus; nil for foreign errors.
        public init?(name: String) {
            guard let code = Code.allCases.first(where: { $0.name == name }) else { return nil }
            self = code
        }
    }

    /// The code for programs.
    public let code: Code
    /// A sentence for the user: what is wrong, with which item, and what to do.
    public let message: String

    /// Creates an error with this sentence.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The refusal of a URI.
    package init(invalidURI text: String, _ error: ItemURIError) {
        self.init(
            .invalidURI, tr("\u{201C}{1}\u{201D} is not the URI of an item: {2}.", Self.shortened(text), error.reason))
    }

    /// The refusal of a name.
    package init(invalidName text: String, _ error: ItemURIError) {
        self.init(
            .invalidName, tr("\u{201C}{1}\u{201D} is not the name of an item: {2}.", Self.shortened(text), error.reason)
        )
    }

    /// Truncates long input, so that no error is longer than its cause.
    private static func shortened(_ text: String) -> String {
        text.utf8.count <= 200 ? text : String(text.prefix(100)) + "\u{2026}"
    }
}
