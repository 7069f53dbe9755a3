/// A share of an item with others.
public struct SyncShare: Record {
    /// With whom, by its word on the bus.
    public enum Kind: String, CaseIterable, Sendable {
        /// Whoever has the link.
        case link
        /// A person with an account at the server.
        case user
        /// Everybody in a group of the server.
        case group
        /// Something else, such as an address to which the server has sent a link.
        case other
    }

    /// What others may do, by its word on the bus.
    public enum Rights: String, CaseIterable, Sendable {
        /// See the item, and download it.
        case view
        /// Change it too; in a directory also add and delete.
        case edit
        /// Put files into a directory, without seeing what is in it.
        case upload
        /// Something else.
        case other
    }

    /// What identifies it at the server.
    public var id: String
    /// With whom.
    public var kind: WireWord<Kind>
    /// What identifies the recipient at the server; nil for a link.
    public var with: String?
    /// The recipient, as people call them; nil for a link.
    public var name: String?
    /// What they may do.
    public var rights: WireWord<Rights>
    /// The last day on which it works, as `2026-11-28`; nil if it does not end.
    public var until: String?
    /// Whether a password is needed to open it.
    public var hasPassword = false
    /// The address of a link.
    public var address: String?
    /// When it was made, in microseconds since 1970 in UTC; nil if the server does not tell.
    public var made: Int64?

    /// Creates a share of this kind with these rights.
    public init(id: String, kind: WireWord<Kind>, rights: WireWord<Rights>) {
        (self.id, self.kind, self.rights) = (id, kind, rights)
    }

    package static let blank = SyncShare(id: "", kind: "", rights: "")

    package static let fields: [Field<SyncShare>] = [
        .init("id", .text, \.id, .needed), .init("kind", .word(), \.kind), .init(optional: "with", .text, \.with),
        .init(optional: "name", .text, \.name), .init("rights", .word(), \.rights),
        .init(optional: "until", .text, \.until), .init("password", .truth, \.hasPassword),
        .init(optional: "address", .text, \.address), .init(optional: "made", .time, \.made),
    ]
}

/// Somebody with whom an item can be shared.
public struct SyncShareRecipient: Record {
    /// A person or a group.
    public var kind: WireWord<SyncShare.Kind>
    /// What identifies them at the server.
    public var with: String
    /// How people call them.
    public var name: String
    /// What distinguishes them from others with this name; "" if nothing does.
    public var detail = ""

    /// Creates a recipient.
    public init(kind: WireWord<SyncShare.Kind>, with: String, name: String) {
        (self.kind, self.with, self.name) = (kind, with, name)
    }

    package static let blank = SyncShareRecipient(kind: "", with: "", name: "")

    package static let fields: [Field<SyncShareRecipient>] = [
        .init("kind", .word(), \.kind), .init("with", .text, \.with, .needed), .init("name", .text, \.name),
        .init("detail", .text, \.detail),
    ]
}

/// What a server allows and demands of shares of one item.
public struct SyncShareRules: Record {
    /// What links may allow; empty if there are none of this item.
    public var linkRights: [WireWord<SyncShare.Rights>] = []
    /// What people may be allowed; empty if the item cannot be shared with people.
    public var peopleRights: [WireWord<SyncShare.Rights>] = []
    /// Whether it can be shared with groups as well.
    public var hasGroups = false
    /// Whether a link needs a password.
    public var needsPassword = false
    /// The fewest characters of a password; nil if the server does not tell.
    public var leastPassword: UInt64?
    /// The most days from today that a link may work; nil if it need not end.
    public var linkDays: UInt64?
    /// How many days the server proposes for a link; nil if it proposes none.
    public var linkUsualDays: UInt64?
    /// The most days from today that a share with people may work; nil if it need not end.
    public var peopleDays: UInt64?
    /// How many days the server proposes for a share with people; nil if it proposes none.
    public var peopleUsualDays: UInt64?
    /// Whether the item is a directory.
    public var isDirectory = false

    /// Nothing is allowed.
    public init() {}

    package static let blank = SyncShareRules()

    package static let fields: [Field<SyncShareRules>] = [
        .init("link-rights", .words(), \.linkRights), .init("people-rights", .words(), \.peopleRights),
        .init("groups", .truth, \.hasGroups), .init("password-needed", .truth, \.needsPassword),
        .init(optional: "password-length", .count, \.leastPassword),
        .init(optional: "link-days", .count, \.linkDays),
        .init(optional: "link-usual-days", .count, \.linkUsualDays),
        .init(optional: "people-days", .count, \.peopleDays),
        .init(optional: "people-usual-days", .count, \.peopleUsualDays),
        .init("directory", .truth, \.isDirectory),
    ]
}
