package import RoundelBus
package import Support

/// How a person shares an item, and what is said about it: fed with what they choose and what the services answer, it tells
/// what to ask next. A share is checked against the server's rules before it is asked for.
package struct Sharing: Equatable, Sendable {
    /// What to ask the services.
    package enum Question: Equatable, Sendable {
        /// What the server allows and demands, and the shares that there are.
        case load
        case search(String)
        /// The password, if there is one, is not kept here.
        case add(SyncShare.Kind, with: String?, SyncShare.Rights, until: String?, hasPassword: Bool)
        /// What is nil stays as it is, and the end is "" for none.
        case change(String, SyncShare.Rights?, until: String?, hasPassword: Bool, dropsPassword: Bool)
        case end(String)
    }

    /// What they answered.
    package enum Answer: Equatable, Sendable {
        case loaded(SyncShareRules, [SyncShare])
        case found([SyncShareRecipient])
        case added(SyncShare)
        case changed(SyncShare)
        case ended(String)
        /// With a sentence for people.
        case failed(String)
    }

    /// The item.
    package let item: ItemURI
    /// What keeps the share from being made, or what failed; nil if nothing did.
    package private(set) var problem: String?
    /// Whether the services are asked for something that the person waits for.
    package private(set) var isBusy = false
    /// With whom; nil for whoever has the link.
    package private(set) var recipient: SyncShareRecipient?
    /// Whom a search found.
    package private(set) var found: [SyncShareRecipient] = []
    /// The share that is being changed; nil while another one is made.
    package private(set) var edited: SyncShare?
    /// The link that was made last, to be copied.
    package private(set) var newLink: String?

    private var rules: SyncShareRules?
    private var shares: [SyncShare] = []
    private var chosenRights = SyncShare.Rights.view
    private var searched: String?
    private var typed = ""
    private var isSearching = false
    private let today: CalendarDay?

    /// The fewest letters that are searched.
    private static let leastLetters = 2

    /// - Parameter today: By the local clock.
    package init(_ item: ItemURI, today: CalendarDay?) { (self.item, self.today) = (item, today) }

    // MARK: What is shown

    /// Whether the server's rules are known, so that there is something to choose.
    package var isLoaded: Bool { rules != nil }

    package var title: String { tr("Share “{1}”", item.displayName) }

    /// Whether the next share is a link.
    package var isLink: Bool { recipient == nil }

    /// What the button does that carries it out.
    package var verb: String { edited == nil ? tr("Share") : tr("Save") }

    /// What the button does that goes back to a link.
    package var otherVerb: String { edited == nil ? tr("Make a Link Instead") : tr("Cancel") }

    /// Whether there is something else than what is chosen to go back to.
    package var hasOther: Bool { edited != nil || !isLink }

    /// Whether the password of the share that is being changed can be taken away.
    package var mayDropPassword: Bool { edited?.hasPassword == true && rules?.needsPassword == false && hasPassword }

    /// Whom the next share is for.
    package var whom: String {
        guard let recipient else { return tr("Everybody who has the link") }
        return recipient.kind.known == .group ? tr("{1} (group)", recipient.name) : recipient.name
    }

    /// What others can be allowed, the least first.
    package var rights: [SyncShare.Rights] {
        guard let rules else { return [] }
        return (isLink ? rules.linkRights : rules.peopleRights).compactMap(\.known)
    }

    /// What others will be allowed.
    package var allowed: SyncShare.Rights { rights.contains(chosenRights) ? chosenRights : rights.first ?? .view }

    /// Whether people can be searched.
    package var hasPeople: Bool { edited == nil && !(rules?.peopleRights.isEmpty ?? true) }

    /// Whether links can have passwords now.
    package var hasPassword: Bool { isLink && !rights.isEmpty }

    /// What the server demands of the next share, in sentences; nil if it demands nothing.
    package var demands: String? {
        guard let rules else { return nil }
        var sentences: [String] = []
        if rights.isEmpty {
            sentences.append(
                isLink
                    ? tr("The server makes no links to this. Search a person to share it with.")
                    : tr("The server does not let you share this with people."))
        }
        if let days = mostDays {
            sentences.append(
                tr(
                    days, one: "The server lets this share work for 1 day at most.",
                    other: "The server lets this share work for {1} days at most."))
        }
        if hasPassword, rules.needsPassword { sentences.append(tr("The server demands a password.")) }
        if hasPassword, let least = rules.leastPassword, least > 1 {
            sentences.append(
                tr(
                    least, one: "A password needs at least 1 character.",
                    other: "A password needs at least {1} characters."))
        }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }

    /// The last day that is proposed, or that the share has which is being changed; "" for none.
    package var proposedEnd: String {
        if let edited { return edited.until ?? "" }
        guard let today, let rules else { return "" }
        let usual = isLink ? rules.linkUsualDays : rules.peopleUsualDays
        return (usual ?? mostDays).map { today.adding(days: Int64(clamping: $0)).text } ?? ""
    }

    private var mostDays: UInt64? { isLink ? rules?.linkDays : rules?.peopleDays }

    /// The shares that there are.
    package var rows: [ShareRow] { shares.map { ShareRow($0) } }

    // MARK: What the person does

    package mutating func begin() -> Question {
        isBusy = true
        return .load
    }

    /// Searches for what is typed; while a search is not answered, nothing more is asked.
    package mutating func type(_ text: String) -> Question? {
        typed = text
        guard text.count >= Self.leastLetters else {
            found = []
            return nil
        }
        guard !isSearching, hasPeople, text != searched else { return nil }
        isSearching = true
        searched = text
        return .search(text)
    }

    /// Shares with somebody who was found, or by a link.
    package mutating func choose(_ recipient: SyncShareRecipient?) {
        self.recipient = recipient
        edited = nil
        chosenRights = .view
        (found, searched, problem, newLink) = ([], nil, nil, nil)
    }

    /// Begins to change a share.
    package mutating func edit(_ id: String) {
        guard !isBusy, let share = shares.first(where: { $0.id == id }), ShareRow(share).isEditable else { return }
        var other: SyncShareRecipient?
        if share.kind.known != .link {
            other = SyncShareRecipient(kind: share.kind, with: share.with ?? "", name: share.name ?? share.with ?? "")
        }
        choose(other)
        edited = share
        chosenRights = share.rights.known ?? .view
    }

    package mutating func allow(_ rights: SyncShare.Rights) { chosenRights = rights }

    /// Shares the item, or changes the share that is being changed.
    /// - Parameters:
    ///   - until: What was typed as the last day; "" for none.
    ///   - password: How many characters the password has.
    ///   - dropsPassword: Whether a password is to be taken away.
    package mutating func share(until: String, password: Int, dropsPassword: Bool = false) -> Question? {
        guard let rules, !isBusy else { return nil }
        problem = obstacle(rules, until: until, password: password)
        guard problem == nil else { return nil }
        if let edited { return change(edited, until: until, password: password, dropsPassword: dropsPassword) }
        isBusy = true
        newLink = nil
        let kind = recipient.map { $0.kind.known == .group ? SyncShare.Kind.group : .user } ?? .link
        return .add(
            kind, with: recipient?.with, allowed, until: until.isEmpty ? nil : until,
            hasPassword: hasPassword && password > 0)
    }

    /// - Returns: Nil if it is to stay as it is.
    private mutating func change(
        _ share: SyncShare, until: String, password: Int, dropsPassword: Bool
    ) -> Question? {
        let rights = allowed == share.rights.known ? nil : allowed
        let end = until == share.until ?? "" ? nil : until
        let hasNew = hasPassword && password > 0
        let drops = mayDropPassword && dropsPassword && !hasNew
        if rights == nil, end == nil, !hasNew, !drops {
            choose(nil)
            return nil
        }
        isBusy = true
        return .change(share.id, rights, until: end, hasPassword: hasNew, dropsPassword: drops)
    }

    private func obstacle(_ rules: SyncShareRules, until: String, password: Int) -> String? {
        if rights.isEmpty { return demands }
        if !until.isEmpty, until != edited?.until {
            guard let end = CalendarDay(until) else { return tr("Write the last day like 2026-12-24.") }
            if let today, end < today { return tr("This day is past.") }
            if let today, let mostDays {
                let last = today.adding(days: Int64(clamping: mostDays))
                if last < end { return tr("The server lets this share work until {1} at most.", last.text) }
            }
        }
        guard hasPassword else { return nil }
        if rules.needsPassword, password == 0, edited?.hasPassword != true {
            return tr("The server demands a password. Type one.")
        }
        if let least = rules.leastPassword, password > 0, password < least {
            return tr(
                least, one: "The server demands a password with at least 1 character.",
                other: "The server demands a password with at least {1} characters.")
        }
        return nil
    }

    package mutating func end(_ share: String) -> Question? {
        guard !isBusy else { return nil }
        isBusy = true
        problem = nil
        return .end(share)
    }

    // MARK: What the services answer

    /// The answer to a question.
    /// - Returns: What to ask next.
    package mutating func answered(_ question: Question, _ answer: Answer) -> Question? {
        if case .search = question {
            isSearching = false
            if case .found(let found) = answer, typed == searched { self.found = found }
            return type(typed)
        }
        isBusy = false
        switch answer {
        case .loaded(let rules, let shares): (self.rules, self.shares) = (rules, shares)
        case .added(let share):
            shares.removeAll { $0.id == share.id }
            shares.insert(share, at: 0)
            newLink = share.address
            // What one person may do is not meant for everybody who gets the next link.
            (recipient, chosenRights) = (nil, .view)
        case .changed(let share):
            if let place = shares.firstIndex(where: { $0.id == share.id }) { shares[place] = share }
            choose(nil)
        case .ended(let id):
            if edited?.id == id { choose(nil) }
            shares.removeAll { $0.id == id }
            newLink = nil
        case .found: break
        case .failed(let sentence):
            problem = sentence
            // A part of a change may have been carried out.
            if case .change = question { return begin() }
        }
        return nil
    }
}
