internal import DBus
package import RoundelBus
internal import Support

/// A call of a host to `org.roundel.Roundel1.Host`.
package enum HostCall: Sendable {
    case beginObserving(String)
    case endObserving(String)
    case requestBadges(directory: String, names: [String])
    case requestDirectory(directory: String, after: String)
    case getMenu(kind: UInt32, target: String, selection: [String])
    case activate(menu: UInt64, item: String)
    case getAttributes(uri: String, keys: [String])
    case getItemService(uri: String)

    /// The member that was called.
    package var member: String {
        switch self {
        case .beginObserving: "BeginObserving"
        case .endObserving: "EndObserving"
        case .requestBadges: "RequestBadges"
        case .requestDirectory: "RequestDirectory"
        case .getMenu: "GetMenu"
        case .activate: "Activate"
        case .getAttributes: "GetAttributes"
        case .getItemService: "GetItemService"
        }
    }
}

/// Judges a host: fed with what it calls and what it was told, tells how each rule was kept.
///
/// A value without a clock and a bus. It holds what a service must remember of one host, so that the played service
/// refuses what a real one refuses.
package struct HostTrial: Sendable {
    /// What happened, besides calls.
    package enum Event: Sendable {
        /// A page of a directory was answered that has this next one.
        case answeredPage(directory: String, next: String)
        /// Badges, flags, keys and signals were sent that no version has.
        case sentUnknown
        /// A request was refused with an error that no version has.
        case refused
        /// What was asked and observed before counts no longer.
        case sentReset
        /// A folder was taken away and has come back.
        case folderReturned
        case serviceLeft
        /// The service is there again.
        /// - Parameter hasVersion: Whether it has the property Version.
        case serviceCame(hasVersion: Bool)
        /// It is on the bus still, after it has had time to leave it for what it was sent.
        case wentOn
        /// The host has left the bus.
        case left
        /// The command that should start it has ended, and nobody has called.
        /// - Parameter status: Its exit status; 128 and the number of the signal that ended it.
        case commandEnded(status: Int32)
        /// What the host has to do by itself did not come in time.
        case waitedInVain(HostRule)
        /// It was watched for so long that it would have done something wrong.
        case watched(HostRule)
        /// Why a rule could not be played.
        case skipped(HostRule, because: String)
    }

    private struct Directory: Sendable {
        /// How often it was begun.
        var count: UInt32 = 0
        /// The names that it was given.
        var names: Set<String> = []
        /// The pages that it was given, by what they come after.
        var pages: Set<String> = []
    }

    private let folder: ItemURI
    private var book = Scorebook<HostRule>()
    private var observed: [ItemURI: Directory] = [:]
    private var isRegistered = true
    private var hasVersion = true
    private var isAway = false
    /// Whether what arrives may have been sent before the host knew that it observes nothing any more: until it begins
    /// again.
    private var mayBeLate = false
    /// A directory that it began to observe before the folder, if it has not come to that.
    private var other: ItemURI?
    /// What it does now shows that it keeps this rule.
    private var expected: Set<HostRule> = [.observes, .asks]
    /// The pages that it should ask for, by their directories.
    private var open: [ItemURI: String] = [:]
    /// The directories of which a page was asked for and is not answered yet: whether another one follows is not known.
    private var answering: Set<ItemURI> = []
    private var menus: Set<UInt64> = []

    /// - Parameter folder: The one registered folder.
    package init(folder: ItemURI) { self.folder = folder }

    /// How each rule was kept.
    package var verdicts: [Verdict<HostRule>] { book.verdicts(idle: tr("Nothing that it did shows this.")) }

    /// The directories that it observes and has asked for badges in.
    package var asked: [ItemURI] {
        observed.filter { !$0.value.names.isEmpty || !$0.value.pages.isEmpty }.map(\.key).sorted()
    }

    /// Whether the host has done what shows that it keeps a rule.
    package func awaits(_ rule: HostRule) -> Bool { expected.contains(rule) }

    /// Whether a folder is registered now.
    package var hasFolder: Bool { isRegistered }

    // MARK: Events

    package mutating func note(_ event: Event) {
        switch event {
        case .answeredPage(let directory, let next):
            guard let uri = try? ItemURI(directory) else { return }
            answering.remove(uri)
            open[uri] = next.isEmpty ? nil : next
        case .sentUnknown: expected.insert(.unknown)
        case .refused: expected.insert(.refusals)
        case .sentReset:
            forget()
            expected.insert(.reset)
        case .folderReturned:
            isRegistered = true
            expected.insert(.folders)
        case .serviceLeft:
            forget()
            isAway = true
            expected.insert(.stays)
        case .serviceCame(let hasVersion):
            isAway = false
            mayBeLate = false
            isRegistered = true
            self.hasVersion = hasVersion
            if hasVersion { expected.insert(.returns) }
        case .wentOn:
            for rule in [HostRule.unknown, .refusals, .stays] where expected.remove(rule) != nil { book.keep(rule) }
        case .left: left()
        case .commandEnded(let status):
            expected.remove(.observes)
            book.fail(
                .observes,
                tr("The command ended by itself with the status {1}, before it called BeginObserving.", "\(status)"))
        case .waitedInVain(let rule): waitedInVain(rule)
        case .watched(let rule): book.keep(rule)
        case .skipped(let rule, let reason): book.skip(rule, reason)
        }
    }

    /// Takes the folder away, so that nothing is monitored.
    package mutating func withdrawFolder() {
        forget()
        isRegistered = false
    }

    private mutating func forget() {
        mayBeLate = true
        observed = [:]
        (open, answering) = ([:], [])
        menus = []
    }

    private mutating func left() {
        // What it did not live to do is what it left for.
        let reasons: [HostRule] = [.unknown, .refusals, .reset, .folders, .returns, .observes, .asks]
        let rule = isAway ? nil : reasons.first { expected.contains($0) }
        book.fail(rule ?? .stays, tr("It left the bus."))
    }

    private mutating func waitedInVain(_ rule: HostRule) {
        expected.remove(rule)
        switch rule {
        case .observes: book.fail(rule, unobserved)
        case .asks: book.fail(rule, tr("It observes, and asks for no badges."))
        case .reset, .folders, .returns: book.fail(rule, tr("It did not call BeginObserving again."))
        case .pages:
            let next = open.sorted { $0.key < $1.key }.first
            book.fail(
                rule, tr("It did not ask for what comes after “{1}” in {2}.", next?.value ?? "", next?.key.uri ?? ""))
        case .unknown, .refusals, .stays: book.fail(rule, tr("It did not answer a ping."))
        case .valid, .observedFirst, .ends, .asksOnce, .limits, .version, .menus, .attributes: break
        }
    }

    /// Why the folder counts as not observed.
    private var unobserved: String {
        guard let other else { return tr("It did not call BeginObserving.") }
        return tr("It called BeginObserving for {1}, and not for {2}, which it has to show.", other.uri, folder.uri)
    }

    /// Whether it has read every directory to its end.
    package var hasReadPages: Bool { open.isEmpty && answering.isEmpty }

    /// Whether it has asked for all that it shows.
    package var hasSettled: Bool { !asked.isEmpty && hasReadPages }

    // MARK: Calls

    /// Whether a directory is monitored.
    private func isMonitored(_ directory: ItemURI) -> Bool {
        isRegistered && (directory.isWithin(folder) || folder.parent == directory)
    }

    /// Judges a call.
    /// - Returns: For ``HostCall/beginObserving(_:)`` whether the directory is monitored, otherwise true.
    /// - Throws: The error with which a service refuses it.
    package mutating func note(_ call: HostCall) throws(RoundelError) -> Bool {
        if !hasVersion { book.fail(.version, tr("It called {1}.", call.member)) }
        switch call {
        case .beginObserving(let directory): return try begin(try uri(directory, call))
        case .endObserving(let directory): try end(try uri(directory, call))
        case .requestBadges(let directory, let names): try request(names, in: try uri(directory, call))
        case .requestDirectory(let directory, let after): try page(after, of: try uri(directory, call))
        case .getMenu(let kind, let target, let selection):
            if !target.isEmpty { _ = try uri(target, call) }
            for item in selection { _ = try uri(item, call) }
            guard MenuKind(rawValue: kind) != nil else {
                throw refuse(.menus, .invalidArguments, tr("GetMenu was called for the kind {1}.", "\(kind)"))
            }
        case .activate(let menu, let item):
            guard menus.contains(menu) else {
                throw refuse(.menus, .staleMenu, tr("“{1}” was chosen in a menu that it was not given.", item))
            }
            book.keep(.menus)
        case .getAttributes(let item, let keys):
            _ = try uri(item, call)
            guard keys.count <= Limits.attributeKeys, keys.allSatisfy({ $0.utf8.count <= Limits.attributeKey }) else {
                throw refuse(.attributes, .limitExceeded, tr("It asked for {1} attributes.", "\(keys.count)"))
            }
            book.keep(.attributes)
        case .getItemService(let item): _ = try uri(item, call)
        }
        return true
    }

    /// Notes a menu that the host was given.
    package mutating func gave(menu: UInt64) { menus.insert(menu) }

    private mutating func refuse(_ rule: HostRule, _ code: RoundelError.Code, _ sentence: String) -> RoundelError {
        book.fail(rule, sentence)
        return RoundelError(code, sentence)
    }

    private mutating func uri(_ text: String, _ call: HostCall) throws(RoundelError) -> ItemURI {
        guard let uri = try? ItemURI(text) else {
            throw refuse(.valid, .invalidURI, tr("{1} has the URI “{2}”.", call.member, text))
        }
        book.keep(.valid)
        return uri
    }

    private mutating func begin(_ directory: ItemURI) throws(RoundelError) -> Bool {
        mayBeLate = false
        if expected.contains(.observes) {
            if directory == folder {
                expected.remove(.observes)
                book.keep(.observes)
            } else {
                other = other ?? directory
            }
        }
        guard isMonitored(directory) else { return false }
        for rule in [HostRule.reset, .folders, .returns] where expected.remove(rule) != nil { book.keep(rule) }
        guard observed.count < Limits.directoriesPerCaller || observed[directory] != nil else {
            throw refuse(.limits, .limitExceeded, tr("It observes {1} directories.", "\(observed.count)"))
        }
        book.keep(.limits)
        observed[directory, default: Directory()].count += 1
        return true
    }

    private mutating func end(_ directory: ItemURI) throws(RoundelError) {
        guard var known = observed[directory] else {
            if mayBeLate { throw Self.notObserving(directory) }
            throw refuse(.ends, .notObserving, tr("It ended {1}, which it does not observe.", directory.uri))
        }
        book.keep(.ends)
        known.count -= 1
        observed[directory] = known.count == 0 ? nil : known
        if known.count == 0 {
            open[directory] = nil
            answering.remove(directory)
        }
    }

    private static func notObserving(_ directory: ItemURI) -> RoundelError {
        RoundelError(.notObserving, tr("“{1}” is not observed.", directory.uri))
    }

    /// The directory in which something is asked for.
    private mutating func place(_ directory: ItemURI, _ member: String) throws(RoundelError) -> Directory {
        guard let known = observed[directory] else {
            if mayBeLate { throw Self.notObserving(directory) }
            throw refuse(
                .observedFirst, .notObserving,
                tr("{1} was called for {2}, which it does not observe.", member, directory.uri))
        }
        book.keep(.observedFirst)
        if expected.remove(.asks) != nil { book.keep(.asks) }
        return known
    }

    private mutating func request(_ names: [String], in directory: ItemURI) throws(RoundelError) {
        var known = try place(directory, "RequestBadges")
        guard names.count <= Limits.namesPerCall else {
            throw refuse(.limits, .limitExceeded, tr("It asked for {1} names in one call.", "\(names.count)"))
        }
        if let wrong = names.first(where: { (try? ItemName($0)) == nil }) {
            throw refuse(.valid, .invalidName, tr("RequestBadges has the name “{1}”.", wrong))
        }
        let again = names.first { known.names.contains($0) }
        book.judge(.asksOnce, again == nil, tr("It asked for “{1}” again.", again ?? ""))
        known.names.formUnion(names)
        observed[directory] = known
    }

    private mutating func page(_ after: String, of directory: ItemURI) throws(RoundelError) {
        var known = try place(directory, "RequestDirectory")
        guard after.isEmpty || (try? ItemName(after)) != nil else {
            throw refuse(.valid, .invalidName, tr("RequestDirectory has the name “{1}”.", after))
        }
        let isNew = known.pages.insert(after).inserted
        book.judge(.asksOnce, isNew, tr("It asked for what comes after “{1}” in {2} again.", after, directory.uri))
        if open[directory] == after {
            open[directory] = nil
            book.keep(.pages)
        }
        answering.insert(directory)
        observed[directory] = known
    }
}
