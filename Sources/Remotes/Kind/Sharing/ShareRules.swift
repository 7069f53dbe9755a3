package import Support

/// What a server allows and demands of shares of one item.
package struct ShareRules: Hashable, Sendable {
    /// What the server demands about the end of shares of one kind.
    package struct End: Hashable, Sendable {
        /// The most days from today; nil if a share need not end.
        package var mostDays: Int64?
        /// How many days the server proposes; nil if it proposes none.
        package var usualDays: Int64?

        package init(mostDays: Int64? = nil, usualDays: Int64? = nil) {
            (self.mostDays, self.usualDays) = (mostDays, usualDays)
        }
    }

    /// What links may allow; empty if there are none of this item.
    package var linkRights: [ShareRights] = []
    /// What people may be allowed; empty if the item cannot be shared with people.
    package var peopleRights: [ShareRights] = []
    /// Whether it can be shared with groups as well.
    package var hasGroups = false
    /// Whether a link needs a password.
    package var needsPassword = false
    /// The fewest characters of a password; nil if the server does not tell.
    package var leastPassword: Int64?
    /// The end of links.
    package var linkEnd = End()
    /// The end of shares with people.
    package var peopleEnd = End()

    package init() {}

    /// What shares of a kind may allow.
    package func rights(of kind: ShareKind) -> [ShareRights] {
        switch kind {
        case .link: linkRights
        case .user: peopleRights
        case .group: hasGroups ? peopleRights : []
        }
    }

    /// The end of shares of a kind.
    package func end(of kind: ShareKind) -> End {
        switch kind {
        case .link: linkEnd
        case .user, .group: peopleEnd
        }
    }
}

/// A share as a person wants it.
package struct ShareWish: Sendable {
    /// With whom.
    package var kind: ShareKind
    /// What identifies the recipient at the server; nil for a link.
    package var recipient: String?
    /// What they may do.
    package var rights: ShareRights
    /// The last day on which it works; nil for no end.
    package var end: CalendarDay?
    /// The password that is needed to open it; nil for none.
    package var password: SharePassword?

    package init(_ kind: ShareKind, with recipient: String? = nil, rights: ShareRights = .view) {
        (self.kind, self.recipient, self.rights) = (kind, recipient, rights)
    }
}

/// What keeps a share from being made that the server was not asked for yet.
package enum ShareObstacle: Error, Hashable, Sendable {
    /// The server makes no shares of this kind of the item.
    case noSuchKind(ShareKind)
    /// The server does not give these rights.
    case noSuchRights(ShareRights, ShareKind)
    /// A person or group is missing, or a link was to have one.
    case wrongRecipient(ShareKind)
    /// The day is past.
    case ended
    /// The server lets it work for so many days at most.
    case tooLong(mostDays: Int64, last: CalendarDay)
    /// The server demands a password.
    case passwordNeeded
    /// Only links have passwords.
    case passwordUnused
    /// The server demands a password with so many characters.
    case passwordTooShort(least: Int64)
    /// The share is of a kind that is not made here, and is not changed here either.
    case foreignShare
}

extension ShareRules {
    /// The share that is made for a wish: one that must end and has no end works as long as the server lets it.
    ///
    /// - Parameter today: By the local clock.
    package func checked(_ wish: ShareWish, today: CalendarDay) throws(ShareObstacle) -> ShareWish {
        let allowed = rights(of: wish.kind)
        guard !allowed.isEmpty else { throw .noSuchKind(wish.kind) }
        guard allowed.contains(wish.rights) else { throw .noSuchRights(wish.rights, wish.kind) }
        let hasRecipient = wish.recipient.map { !$0.isEmpty } ?? false
        guard hasRecipient == (wish.kind != .link) else { throw .wrongRecipient(wish.kind) }
        var wish = wish
        if let end = wish.end, end < today { throw .ended }
        if let most = end(of: wish.kind).mostDays {
            let last = today.adding(days: most)
            if let end = wish.end, last < end { throw .tooLong(mostDays: most, last: last) }
            wish.end = wish.end ?? last
        }
        switch (wish.password, wish.kind) {
        case (_?, .user), (_?, .group): throw .passwordUnused
        case (nil, .link): if needsPassword { throw .passwordNeeded }
        case (let password?, .link):
            if let leastPassword, password.characters < leastPassword { throw .passwordTooShort(least: leastPassword) }
        case (nil, .user), (nil, .group): break
        }
        return wish
    }
}
