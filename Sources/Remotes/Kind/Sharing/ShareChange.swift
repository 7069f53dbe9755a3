package import Support

/// What is to become of a share that exists.
package struct ShareChange: Sendable {
    /// What is to become of its end.
    package enum End: Sendable, Equatable {
        /// It stays.
        case kept
        /// It works without an end.
        case none
        /// It works until this day.
        case day(CalendarDay)
    }

    /// What is to become of its password.
    package enum Password: Sendable {
        /// It stays, or there is still none.
        case kept
        /// None is needed.
        case none
        /// This one is needed.
        case new(SharePassword)
    }

    /// What the recipient may do; nil if that stays.
    package var rights: ShareRights?
    package var end = End.kept
    package var password = Password.kept

    package init() {}
}

extension ShareRules {
    /// The change that is made for a wish: a share that must end and is to have no end works as long as the server lets it.
    ///
    /// - Parameter today: By the local clock.
    package func checked(
        _ change: ShareChange, of share: ItemShare, today: CalendarDay
    ) throws(ShareObstacle) -> ShareChange {
        guard let kind = share.kind else { throw .foreignShare }
        var change = change
        if let wanted = change.rights {
            guard rights(of: kind).contains(wanted) else { throw .noSuchRights(wanted, kind) }
        }
        let last = end(of: kind).mostDays.map { today.adding(days: $0) }
        switch change.end {
        case .kept: break
        case .none: if let last { change.end = .day(last) }
        case .day(let day):
            if day < today { throw .ended }
            if let last, last < day { throw .tooLong(mostDays: end(of: kind).mostDays ?? 0, last: last) }
        }
        switch (change.password, kind) {
        case (.kept, _): break
        case (.none, .link): if needsPassword { throw .passwordNeeded }
        case (.new(let password), .link):
            if let leastPassword, password.characters < leastPassword { throw .passwordTooShort(least: leastPassword) }
        case (.none, .user), (.none, .group), (.new, .user), (.new, .group): throw .passwordUnused
        }
        return change
    }
}
