internal import DBus
internal import RoundelBus
internal import Support

/// Judges the answers of a provider.
struct AnswerJudge {
    let id: ProviderID
    /// The badges of its own that have an image.
    let images: Set<String>
    /// The ids of the menu before.
    private(set) var lastMenu: [String]?

    init(id: ProviderID, images: Set<String>, lastMenu: [String]?) {
        self.id = id
        self.images = images
        self.lastMenu = lastMenu
    }

    mutating func judge(
        _ question: ProviderQuestion, _ answer: ProviderAnswer, _ book: inout Scorebook<ProviderRule>
    ) {
        switch question {
        case .version: version(answer, &book)
        case .unheard: unheard(answer, &book)
        case .badges(_, let names, let place): badges(names, place, answer, &book)
        case .page(_, let after, let limit, let place): page(after, limit, place, answer, &book)
        case .menu(_, let isRepeated): menu(isRepeated, answer, &book)
        case .activation(_, let isOffered): activation(isOffered, answer, &book)
        case .attributes(_, let place): attributes(place, answer, &book)
        case .changes: changes(answer, &book)
        case .service(let interface): service(interface, answer, &book)
        case .strangeOptions:
            if answer.isAbsent { return }
            book.judge(.options, answer.values("asauaya{sv}") != nil, problem("RequestBadges", answer))
        case .hostile: break
        }
    }

    // MARK: Parts of the interface

    private func version(_ answer: ProviderAnswer, _ book: inout Scorebook<ProviderRule>) {
        guard case .values(let values) = answer.content else {
            return book.skip(.version, tr("It has no Version."))
        }
        book.judge(
            .version, values == [.variant(.uint32(interfaceVersion))],
            tr("Version is another value than {1}.", "\(interfaceVersion)"))
    }

    private func unheard(_ answer: ProviderAnswer, _ book: inout Scorebook<ProviderRule>) {
        book.judge(.absent, answer.isAbsent, problem("RequestTheWeather", answer))
    }

    private func service(_ interface: String, _ answer: ProviderAnswer, _ book: inout Scorebook<ProviderRule>) {
        book.judge(
            .services, answer.values("v") == [.variant(.uint32(interfaceVersion))],
            tr("{1} has no Version {2} at its object.", interface, "\(interfaceVersion)"))
    }

    private func changes(_ answer: ProviderAnswer, _ book: inout Scorebook<ProviderRule>) {
        if answer.isAbsent { return book.skip(.changes, absence("ItemsChanged")) }
        book.judge(.changes, answer.values("a{sv}") != nil, problem("ItemsChanged", answer))
    }

    // MARK: Badges

    private func badges(
        _ names: [String], _ place: ProviderQuestion.Place, _ answer: ProviderAnswer,
        _ book: inout Scorebook<ProviderRule>
    ) {
        if answer.isAbsent { return book.skip(.columns, absence("RequestBadges")) }
        guard let values = answer.values("asauaya{sv}") else {
            // An error is a way to say nothing of an item that is not its own.
            if place == .outside, case .error = answer.content { return book.keep(.outside) }
            return book.fail(.columns, problem("RequestBadges", answer))
        }
        let columns = Self.columns(values)
        guard columns.fit(names.count) else {
            return book.fail(
                .columns, tr("RequestBadges was answered for {1} names with columns that do not fit.", "\(names.count)")
            )
        }
        book.keep(.columns)
        judgeBadges(columns.badges, "RequestBadges", &book)
        outside(names, columns, place, "RequestBadges", &book)
        if place == .own { inTime("RequestBadges", answer, &book) }
    }

    private func page(
        _ after: String, _ limit: UInt32, _ place: ProviderQuestion.Place, _ answer: ProviderAnswer,
        _ book: inout Scorebook<ProviderRule>
    ) {
        if answer.isAbsent { return book.skip(.pages, absence("RequestDirectory")) }
        guard let values = answer.values("asasauaysa{sv}"), let texts = values[0].strings else {
            if place == .outside, case .error = answer.content { return book.keep(.outside) }
            return book.fail(.pages, problem("RequestDirectory", answer))
        }
        let columns = Self.columns(Array(values.dropFirst()))
        guard columns.fit(texts.count) else {
            return book.fail(
                .columns,
                tr("RequestDirectory was answered with {1} names and columns that do not fit.", "\(texts.count)"))
        }
        book.keep(.columns)
        judgeBadges(columns.badges, "RequestDirectory", &book)
        outside(texts, columns, place, "RequestDirectory", &book)
        guard place == .own else { return }
        inTime("RequestDirectory", answer, &book)
        let fault = pageFault(texts, next: values[4].string ?? "", after, limit)
        book.judge(.pages, fault == nil, fault ?? "")
    }

    private func pageFault(_ texts: [String], next: String, _ after: String, _ limit: UInt32) -> String? {
        var names: [ItemName] = []
        for text in texts {
            guard let name = try? ItemName(text) else { return tr("“{1}” is no name.", text) }
            names.append(name)
        }
        if names.count > limit { return tr("{1} names were given for a limit of {2}.", "\(names.count)", "\(limit)") }
        let former = after.isEmpty ? nil : try? ItemName(after)
        let all = [former].compactMap(\.self) + names
        if zip(all, all.dropFirst()).contains(where: { $0 >= $1 }) {
            return tr("The names after “{1}” are not in the order of their bytes.", after)
        }
        if !next.isEmpty, (try? ItemName(next)) != names.last {
            return tr("The page goes on after “{1}”, which is not its last name.", next)
        }
        return nil
    }

    private func outside(
        _ names: [String], _ columns: Columns, _ place: ProviderQuestion.Place, _ member: String,
        _ book: inout Scorebook<ProviderRule>
    ) {
        let own: Set<String>
        switch place {
        case .own: return
        case .parent(let folders): own = folders
        case .outside: own = []
        }
        let wrong = zip(names, columns.badges).first { !$1.isEmpty && !own.contains($0) }
        book.judge(
            .outside, wrong == nil, tr("{1} gave “{2}” the badge “{3}”.", member, wrong?.0 ?? "", wrong?.1 ?? ""))
    }

    func judgeBadges(_ badges: [String], _ member: String, _ book: inout Scorebook<ProviderRule>) {
        let wrong = badges.first { badge in
            !badge.isEmpty && CommonBadge(rawValue: badge) == nil && !images.contains(badge)
        }
        book.judge(.badges, wrong == nil, tr("{1} has the badge “{2}”.", member, wrong ?? ""))
    }

    /// Whether an answer was in time. A single late one says nothing on a busy machine, so that who asks gives the best
    /// of several.
    private func inTime(_ member: String, _ answer: ProviderAnswer, _ book: inout Scorebook<ProviderRule>) {
        book.judge(
            .inTime, answer.after <= Limits.patience,
            tr("{1} was answered after {2} ms.", member, "\(Int(answer.after / .milliseconds(1)))"))
    }

    /// The columns badges, flags and progress at the beginning.
    private static func columns(_ values: [DBusValue]) -> Columns {
        Columns(
            badges: values[0].strings ?? [], flags: values[1].uint32s?.count ?? 0, progress: values[2].bytes ?? [])
    }

    // MARK: Menus

    private mutating func menu(
        _ isRepeated: Bool, _ answer: ProviderAnswer, _ book: inout Scorebook<ProviderRule>
    ) {
        if answer.isAbsent {
            for rule in [ProviderRule.menu, .menuIDs, .actions] { book.skip(rule, absence("GetMenu")) }
            return
        }
        guard let maps = answer.values("aa{sv}a{sv}")?[0].maps else {
            return book.fail(.menu, problem("GetMenu", answer))
        }
        inTime("GetMenu", answer, &book)
        do throws(DBusError) {
            var items: [MenuItem] = []
            for map in maps { items.append(try MenuItem(wire: map)) }
            let all = items.flatMap(\.withChildren)
            if let fault = Self.fault(in: all) { return book.fail(.menu, fault) }
            book.keep(.menu)
            let ids = all.map(\.id).filter { !$0.isEmpty }
            if isRepeated, let lastMenu, !(ids.isEmpty && lastMenu.isEmpty) {
                book.judge(.menuIDs, ids == lastMenu, tr("The same menu had other ids."))
            }
            lastMenu = ids
        } catch {
            book.fail(.menu, error.message)
        }
    }

    private static func fault(in items: [MenuItem]) -> String? {
        if items.count > Limits.menuItems { return tr("A menu has {1} items.", "\(items.count)") }
        let ids = items.map(\.id).filter { !$0.isEmpty }
        if Set(ids).count < ids.count { return tr("Two items of a menu have one id.") }
        for item in items {
            let texts = [item.id, item.label, item.icon]
            if texts.contains(where: { !$0.isWithin(Limits.menuText) }) {
                return tr("The item “{1}” has a text of more than 256 characters.", item.id)
            }
            if !item.icon.isEmpty, !item.icon.isIconName { return tr("“{1}” is no name of an icon.", item.icon) }
            if !item.isSeparator, item.children.isEmpty, item.id.isEmpty || item.label.isEmpty {
                return tr("The item “{1}” has no id or no label.", item.id + item.label)
            }
        }
        return nil
    }

    private func activation(
        _ isOffered: Bool, _ answer: ProviderAnswer, _ book: inout Scorebook<ProviderRule>
    ) {
        let rule = isOffered ? ProviderRule.actions : .unknownItem
        switch answer.content {
        case .silence: break
        case .error(let error):
            if answer.isAbsent { return book.skip(rule, absence("Activate")) }
            book.judge(.actions, !error.message.isEmpty, tr("{1} has no sentence.", error.name))
            if !isOffered { book.keep(.unknownItem) }
        case .values:
            guard isOffered else { return book.fail(.unknownItem, tr("Activate was answered as done.")) }
            guard let extra = answer.values("a{sv}")?[0].map else {
                return book.fail(.actions, problem("Activate", answer))
            }
            let text = extra["clipboard"]
            book.judge(
                .actions, text == nil || text?.string.flatMap(ClipboardText.init) != nil,
                tr("The text for the clipboard is no line of 8,192 bytes at most."))
            let message = extra["message"]
            book.judge(.actions, message == nil || message?.string != nil, tr("The message of an action is no text."))
        }
    }

    // MARK: Attributes

    private func attributes(
        _ place: ProviderQuestion.Place, _ answer: ProviderAnswer, _ book: inout Scorebook<ProviderRule>
    ) {
        if answer.isAbsent { return book.skip(.attributes, absence("GetAttributes")) }
        if place != .own, case .error = answer.content { return book.keep(.outside) }
        guard let values = answer.values("a{sv}a{sv}"), let map = values[0].map else {
            return book.fail(.attributes, problem("GetAttributes", answer))
        }
        guard place == .own else {
            // Whatever else it says, an item that is not its own has no state.
            let state = map.string("state") ?? ""
            return book.judge(.outside, state.isEmpty, tr("GetAttributes gave the state “{1}”.", state))
        }
        for (key, value) in map.sorted(by: { $0.key < $1.key }) where AttributeKey(rawValue: key) != nil {
            let fits = AttributeValue(wire: value)?.fits(key) ?? false
            book.judge(.attributes, fits, tr("The attribute “{1}” has another type.", key))
        }
        let text = map.values.compactMap(\.string).reduce(0) { $0 + $1.utf8.count }
        book.judge(.attributes, text <= Limits.attributeText, tr("The attributes have {1} bytes of text.", "\(text)"))
        book.judge(
            .attributes, answer.after <= Limits.attributePatience,
            tr("{1} was answered after {2} ms.", "GetAttributes", "\(Int(answer.after / .milliseconds(1)))"))
    }

    // MARK: Sentences

    private func absence(_ member: String) -> String { tr("It has no {1}.", member) }

    private func problem(_ member: String, _ answer: ProviderAnswer) -> String {
        switch answer.content {
        case .silence: return Seen.silence(member)
        case .error(let error): return Seen.error(member, error)
        case .values(let values):
            return Seen.type(member, values.map(\.signature.rawValue).joined(), Self.types[member] ?? "")
        }
    }

    /// The types of the answers, for sentences.
    private static let types = [
        "RequestBadges": "asauaya{sv}", "RequestDirectory": "asasauaysa{sv}", "GetMenu": "aa{sv}a{sv}",
        "Activate": "a{sv}", "GetAttributes": "a{sv}a{sv}", "ItemsChanged": "a{sv}",
    ]
}

extension MenuItem {
    /// The item and all below it.
    fileprivate var withChildren: [MenuItem] { [self] + children.flatMap(\.withChildren) }
}
