/// What people may do with an item that is shared with them.
package enum ShareRights: String, CaseIterable, Sendable {
    /// See it, and download it.
    case view
    /// Change it too; in a directory also add and delete.
    case edit
    /// Put files into a directory, without seeing what is in it.
    case upload
}

/// With whom an item can be shared.
package enum ShareKind: String, CaseIterable, Sendable {
    /// Whoever has the link.
    case link
    /// A person with an account at the server.
    case user
    /// Everybody in a group of the server.
    case group
}

/// Somebody with whom an item can be shared.
package struct ShareRecipient: Hashable, Sendable {
    /// A person or a group.
    package var kind: ShareKind
    /// What identifies them at the server.
    package var id: String
    /// How people call them.
    package var name: String
    /// What distinguishes them from others with this name; "" if nothing does.
    package var detail: String

    package init(kind: ShareKind, id: String, name: String, detail: String = "") {
        (self.kind, self.id, self.name, self.detail) = (kind, id, name, detail)
    }
}

/// A share that exists at the server.
package struct ItemShare: Hashable, Sendable {
    /// What identifies it at the server.
    package var id: String
    /// With whom; nil for a kind that Roundel does not make, such as one by mail.
    package var kind: ShareKind?
    /// The recipient; nil for a link.
    package var recipient: ShareRecipient?
    /// What they may do; nil for what fits no word.
    package var rights: ShareRights?
    /// The last day on which it works, as `2026-11-28`; nil if it does not end.
    package var end: String?
    /// Whether a password is needed to open it.
    package var hasPassword: Bool
    /// The address of a link.
    package var address: String?
    /// When it was made, in seconds since 1970; nil if the server does not tell.
    package var made: Int64?

    package init(id: String, kind: ShareKind?) {
        (self.id, self.kind, hasPassword) = (id, kind, false)
    }
}
