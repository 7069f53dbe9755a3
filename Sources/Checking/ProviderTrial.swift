package import DBus
package import RoundelBus
internal import Support

/// Judges a provider: fed with what it calls and how it answers, tells how each rule was kept.
///
/// A value without a clock and a bus. What a service must remember of a provider is here as well, so that the played
/// service refuses what a real one refuses.
package struct ProviderTrial: Sendable {
    /// What happened, besides calls and answers.
    package enum Event: Sendable {
        /// - Parameter problem: Why it is not understood; nil if it is.
        case manifest(problem: String?)
        /// There is none.
        case noManifest
        /// It runs already: what the service of the session says of it.
        case found(object: ObjectPath, folders: [ItemURI], badges: [String])
        /// The service has begun, or begins again.
        case serviceCame
        case serviceLeft
        /// What was waited for did not come in time.
        case waitedInVain(Awaited)
        /// The provider has left the bus.
        case left(after: String)
        /// It is still on the bus after the service has left.
        case stayed
        /// Items of a directory were changed, and the provider was told.
        case changed(directory: String, items: Int)
        /// What it reports of them has been waited for.
        case settled
        /// It was left alone from now on.
        case leftAlone
        /// The end of that: how often its threads woke up; nil if that cannot be seen.
        case wasAlone(Duration, wakeUps: Int?)
        /// Why a rule could not be played.
        case skipped(ProviderRule, because: String)
    }

    /// What the provider has to do by itself.
    package enum Awaited: Sendable { case registration, folders, flush, comingBack }

    /// A folder of the provider.
    package struct Folder: Sendable, Equatable {
        package let uri: ItemURI
        package let isWatched: Bool
    }

    private let id: ProviderID
    private var book = Scorebook<ProviderRule>()
    /// Where it implements its interface; nil while it is not registered.
    package private(set) var object: ObjectPath?
    /// The interfaces that it offers, with their objects.
    package private(set) var services: [String: String] = [:]
    /// Its folders, once it has said which.
    package private(set) var folders: [Folder]?
    /// The folders for which it has called Flush.
    package private(set) var flushed: Set<ItemURI> = []
    private var images: Set<String> = []
    private var formerFolders: Set<ItemURI> = []
    private var isService = false
    private var hasReturned = false
    private var changed: (directory: String, items: Int, calls: Int)?
    private var callsAlone: Int?
    private var lastMenu: [String]?

    package init(id: ProviderID) { self.id = id }

    /// How each rule was kept.
    package var verdicts: [Verdict<ProviderRule>] {
        book.verdicts(idle: tr("Nothing that it did shows this."))
    }

    /// Whether it has folders and has called Flush for those that are watched.
    package var hasFlushed: Bool {
        (folders ?? []).allSatisfy { !$0.isWatched || flushed.contains($0.uri) }
    }

    // MARK: Events

    package mutating func note(_ event: Event) {
        switch event {
        case .manifest(let problem): book.judge(.manifest, problem == nil, problem ?? "")
        case .noManifest:
            for rule in [ProviderRule.manifest, .busName] { book.skip(rule, tr("It has no manifest.")) }
        case .found(let object, let folders, let badges):
            self.object = object
            self.folders = folders.map { Folder(uri: $0, isWatched: false) }
            images = Set(badges)
            isService = true
        case .serviceCame: isService = true
        case .serviceLeft: forget()
        case .waitedInVain(let awaited): waitedInVain(awaited)
        case .left(let cause):
            book.fail(isService ? .answers : .stays, tr("It left the bus after this: {1}.", cause))
        case .stayed: book.keep(.stays)
        case .changed(let directory, let items): changed = (directory, items, 0)
        case .settled: settle()
        case .leftAlone: callsAlone = 0
        case .wasAlone(let time, let wakeUps): wasAlone(time, wakeUps)
        case .skipped(let rule, let reason): book.skip(rule, reason)
        }
    }

    private mutating func forget() {
        formerFolders = Set((folders ?? []).map(\.uri))
        hasReturned = false
        (object, folders, services, flushed, images) = (nil, nil, [:], [], [])
        isService = false
    }

    private mutating func waitedInVain(_ awaited: Awaited) {
        switch awaited {
        case .registration: book.fail(.registers, tr("It did not call Register."))
        case .folders: book.skip(.folders, tr("It called no SetFolders with the arguments of the interface."))
        case .flush: book.fail(.flush, tr("It reads what is in a folder before its changes are told."))
        case .comingBack: book.fail(.returns, tr("It did not register its folders again."))
        }
    }

    /// More calls than this for each item that changed are too many; a few are for the states on the way.
    private static let itemsPerCall = 4

    private mutating func settle() {
        guard let seen = changed else { return }
        changed = nil
        guard seen.calls > 0 else { return book.skip(.together, tr("It reported nothing of what changed.")) }
        book.judge(
            .together, seen.calls * Self.itemsPerCall <= seen.items,
            tr("{1} items changed, and it called UpdateBadges {2} times.", "\(seen.items)", "\(seen.calls)"))
    }

    /// A program that wakes up more often than this is not idle.
    private static let idlePause = Duration.milliseconds(200)

    private mutating func wasAlone(_ time: Duration, _ wakeUps: Int?) {
        let calls = callsAlone ?? 0
        callsAlone = nil
        guard calls == 0 else {
            return book.fail(.quiet, tr("It called the service {1} times.", "\(calls)"))
        }
        guard let wakeUps else { return book.skip(.quiet, tr("Its process cannot be seen.")) }
        book.judge(
            .quiet, Self.idlePause * wakeUps <= time,
            tr("It woke up {1} times in {2} ms.", "\(wakeUps)", "\(Int(time / .milliseconds(1)))"))
    }

    // MARK: Answers

    /// Judges the answer to a question.
    package mutating func note(_ question: ProviderQuestion, _ answer: ProviderAnswer) {
        if case .silence = answer.content {
            book.fail(.answers, Seen.silence(question.description))
            return
        }
        book.keep(.answers)
        var judge = AnswerJudge(id: id, images: images, lastMenu: lastMenu)
        judge.judge(question, answer, &book)
        lastMenu = judge.lastMenu
    }

    // MARK: Calls

    /// Judges a call.
    /// - Returns: The error with which a service refuses it; nil if it is accepted.
    package mutating func note(_ call: ProviderCall) -> DBusError? {
        callsAlone = callsAlone.map { $0 + 1 }
        if case .register(let object, let options, let ownsName) = call {
            return register(object, options, ownsName)
        }
        guard object != nil else {
            return refuse(.registers, .notRegistered, tr("It called {1} before Register.", call.member))
        }
        switch call {
        case .register: return nil
        case .setFolders(let offers): return setFolders(offers)
        case .setBadgeImages(let images): return setImages(images)
        case .storePicture: return nil
        case .updateBadges(let update): return updateBadges(update)
        case .setFolderStatus(let folder, let state, let text, let progress, let options):
            return setStatus(folder, state, text, progress, options)
        case .flush(let folder):
            guard let uri = ownFolder(folder, in: call.member) else { return notItsFolder(folder) }
            flushed.insert(uri)
            if folders?.contains(where: { $0.uri == uri && $0.isWatched }) ?? false { book.keep(.flush) }
            return nil
        case .unregister:
            (object, folders) = (nil, nil)
            return nil
        }
    }

    private mutating func refuse(_ rule: ProviderRule, _ code: RoundelError.Code, _ sentence: String) -> DBusError {
        book.fail(rule, sentence)
        return DBusError(RoundelError(code, sentence))
    }

    private mutating func register(_ object: ObjectPath, _ options: VariantMap, _ ownsName: Bool?) -> DBusError? {
        let given = options.string("id") ?? ""
        guard given == id.rawValue else {
            return refuse(.registers, .invalidArguments, tr("It registers with the id “{1}”.", given))
        }
        if let ownsName {
            guard ownsName else {
                return refuse(.busName, .identityTaken, tr("It registered before it owned the name."))
            }
            book.keep(.busName)
        }
        book.keep(.registers)
        checkIcon(options.string("icon") ?? "")
        self.object = object
        services = options["services"]?.services ?? [:]
        return nil
    }

    private mutating func checkIcon(_ icon: String) {
        if !icon.isEmpty { book.judge(.icons, icon.isIconName, tr("“{1}” is no name of an icon.", icon)) }
    }

    private mutating func setFolders(_ offers: [ProviderCall.Folder]) -> DBusError? {
        var found: [Folder] = []
        for offer in offers {
            checkIcon(offer.options.string("icon") ?? "")
            guard let uri = try? ItemURI(offer.uri), !uri.isRoot else {
                return refuse(.folders, .invalidURI, tr("“{1}” is no folder.", offer.uri))
            }
            if let other = found.first(where: { $0.uri.isWithin(uri) || uri.isWithin($0.uri) }) {
                return refuse(
                    .folders, .folderTaken, tr("“{1}” and “{2}” lie within each other.", offer.uri, other.uri.uri))
            }
            found.append(Folder(uri: uri, isWatched: offer.options.bool("watch") ?? false))
        }
        guard offers.count <= Limits.foldersPerProvider else {
            return refuse(.folders, .limitExceeded, tr("It has {1} folders.", "\(offers.count)"))
        }
        book.keep(.folders)
        folders = found
        if !formerFolders.isEmpty, !hasReturned {
            hasReturned = true
            book.judge(
                .returns, Set(found.map(\.uri)) == formerFolders, tr("It registered other folders than before."))
        }
        return nil
    }

    private mutating func setImages(_ given: [ProviderCall.Image]) -> DBusError? {
        for image in given {
            checkIcon(image.icon)
            guard Badge(image.badge).belongs(to: id) else {
                return refuse(.images, .badgeTaken, tr("“{1}” is no badge of its own.", image.badge))
            }
            guard !image.label.isEmpty, image.label.isWithin(Limits.providerText) else {
                return refuse(.images, .invalidArguments, tr("“{1}” has no label, or a long one.", image.badge))
            }
        }
        book.keep(.images)
        images = Set(given.map(\.badge))
        return nil
    }

    private mutating func updateBadges(_ update: ProviderCall.Update) -> DBusError? {
        if changed?.directory == update.directory { changed?.calls += 1 }
        guard let directory = try? ItemURI(update.directory) else {
            return refuse(.ownItems, .invalidURI, tr("UpdateBadges has the URI “{1}”.", update.directory))
        }
        if let wrong = update.names.first(where: { (try? ItemName($0)) == nil }) {
            return refuse(.ownItems, .invalidName, tr("UpdateBadges has the name “{1}”.", wrong))
        }
        guard update.values.fit(update.names.count) else {
            return refuse(
                .columns, .invalidArguments,
                tr("UpdateBadges has {1} names, and columns that do not fit.", "\(update.names.count)"))
        }
        book.keep(.columns)
        let own = folders ?? []
        guard own.contains(where: { directory.isWithin($0.uri) || $0.uri.parent == directory }) else {
            return refuse(.ownItems, .notYourFolder, tr("UpdateBadges was called for {1}.", update.directory))
        }
        book.keep(.ownItems)
        if let wrong = update.values.badges.first(where: { !Badge($0).isAllowed(for: id) }) {
            return refuse(.badges, .badgeTaken, tr("UpdateBadges has the badge “{1}”.", wrong))
        }
        AnswerJudge(id: id, images: images, lastMenu: nil).judgeBadges(update.values.badges, "UpdateBadges", &book)
        return nil
    }

    private mutating func ownFolder(_ text: String, in member: String) -> ItemURI? {
        let uri = try? ItemURI(text)
        let own = (folders ?? []).first { $0.uri == uri }?.uri
        book.judge(.ownItems, own != nil, tr("{1} was called for {2}.", member, text))
        return own
    }

    private func notItsFolder(_ text: String) -> DBusError {
        DBusError(RoundelError(.notYourFolder, tr("“{1}” is none of its folders.", text)))
    }

    private mutating func setStatus(
        _ folder: String, _ state: UInt32, _ text: String, _ progress: UInt8, _ options: VariantMap
    ) -> DBusError? {
        guard ownFolder(folder, in: "SetFolderStatus") != nil else { return notItsFolder(folder) }
        guard FolderState(rawValue: state) != nil, Progress.isValid(progress), text.isWithin(Limits.statusText) else {
            // A service takes such a state for 0, and cuts such a text.
            book.fail(.status, tr("The state is {1}, the progress {2}.", "\(state)", "\(progress)"))
            return nil
        }
        do throws(DBusError) {
            let notices = try options.folderNotices()
            if let fault = Self.fault(in: notices) { return refuse(.status, .invalidArguments, fault) }
        } catch {
            book.fail(.status, error.message)
            return error
        }
        book.keep(.status)
        return nil
    }

    private static func fault(in notices: [FolderNotice]) -> String? {
        if notices.count > Limits.notices { return tr("A folder has {1} notices.", "\(notices.count)") }
        if Set(notices.map(\.id)).count < notices.count { return tr("Two notices have one id.") }
        let wrong = notices.first { notice in
            notice.id.isEmpty || notice.title.isEmpty || notice.actions.count > Limits.noticeActions
                || !notice.title.isWithin(Limits.noticeLine) || !notice.text.isWithin(Limits.noticeText)
        }
        return wrong.map { tr("The notice “{1}” has no id or title, or is over a limit.", $0.id) }
    }
}
