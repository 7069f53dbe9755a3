internal import DBus
internal import Remotes
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SystemPackage

/// Adds and moves folders. The necessary disk access runs on another thread, with a time limit; the loop only decides.
final class FolderPlacement {
    private let book: FolderBook
    private let kinds: RemoteKinds
    private let places: WorkerPlaces
    private let blocking: BlockingWork

    init(_ book: FolderBook, _ kinds: RemoteKinds, _ places: WorkerPlaces, blocking: BlockingWork) {
        (self.book, self.kinds, self.places, self.blocking) = (book, kinds, places, blocking)
    }

    /// Carries out AddFolder.
    func add(_ folder: NewFolder, _ call: MethodCall) { add(FolderAddition(folder, call, blocking: blocking)) }

    /// Goes on with it: each step finds out or does one thing, then the places are checked again.
    private func add(_ addition: FolderAddition) {
        let folder = addition.folder
        survey { [unowned self] in
            questions(about: folder)
        } then: { [unowned self] rules throws(WorkerError) in
            try rules.checkNew(folder.uri.filePath, folder.remote, creates: addition.isToCreate)
            try requireForeign(folder)
            if addition.isToCreate { return makeDirectories(for: addition) }
            if folder.isOnDemand, addition.contents == nil {
                return findContents(folder.id, for: folder.uri.filePath) { [unowned self] result in
                    switch result {
                    case .success(let place):
                        addition.contents = place
                        add(addition)
                    case .failure(let error): addition.fail(error)
                    }
                }
            }
            if folder.remote.needsNetwork, addition.findings == nil { return tryOut(addition) }
            let settings = folder.settings(
                added: WallClock.microseconds, findings: addition.findings ?? RemoteFindings(),
                contents: addition.contents)
            let call = addition.call
            let unit = try book.add(settings, folder.starts ? .now : .byCall(from: call.sender))
            call.reply { writer in
                try writer.append(unit.settings.id)
                try writer.appendNoExtras()
            }
        } failed: {
            addition.fail($0)
        }
    }

    /// Checks the places of a folder that may be added: `then` is called unless adding it would be refused for them.
    func examine(
        _ folder: NewFolder, then: @escaping () -> Void, failed: @escaping (WorkerError) -> Void
    ) {
        survey { [unowned self] in
            questions(about: folder)
        } then: { [unowned self] rules throws(WorkerError) in
            try rules.checkNew(folder.uri.filePath, folder.remote, creates: folder.creates)
            try requireForeign(folder)
            then()
        } failed: {
            failed($0)
        }
    }

    private func questions(about folder: NewFolder) -> SurveyQuestions {
        var questions = questionsAboutFolders()
        questions.places.insert(folder.uri.filePath)
        if let path = folder.remote.directory { questions.places.insert(path) }
        return questions
    }

    /// Fails if a side of a new folder is in the directories of Roundel's own settings and state.
    private func requireForeign(_ folder: NewFolder) throws(WorkerError) {
        let own = OwnPlaces(places, contents: book.syncedPlaces.compactMap(\.contents))
        for path in [folder.uri.filePath, folder.remote.directory].compactMap(\.self) where own.hold(path) {
            throw WorkerError(
                .folderTaken,
                tr(
                    """
                    “{1}” holds Roundel's own settings or state, which are never synced. Choose a directory outside \
                    it.
                    """,
                    ShownPath.short(path)))
        }
    }

    /// Makes the directories on this computer that a new folder lacks.
    private func makeDirectories(for addition: FolderAddition) {
        let paths = [addition.folder.uri.filePath, addition.folder.remote.directory].compactMap(\.self)
        let isBegun = blocking.run({ () -> (MadeDirectories, WorkerError?) in
            var made = MadeDirectories()
            for path in paths {
                do throws(Errno) { try made.make(path) } catch { return (made, .notMade(path, error)) }
            }
            return (made, nil)
        }) { [unowned self] made, error in
            addition.made = made
            if let error { addition.fail(error) } else { add(addition) }
        }
        if !isBegun { addition.fail(.tooMuchWaits) }
    }

    /// Tries out the remote of a new folder. Then the places are checked again, because that takes seconds.
    private func tryOut(_ addition: FolderAddition) {
        let (remote, creates) = (addition.folder.remote, addition.folder.creates)
        let isBegun = blocking.ask { () -> Result<RemoteFindings, RemoteRefusal> in
            do throws(RemoteRefusal) {
                if creates { try await remote.makeMissing() }
                return .success(try await remote.tryOut())
            } catch {
                return .failure(error)
            }
        } answer: { [unowned self] result in
            switch result {
            case .success(let findings):
                addition.findings = findings
                add(addition)
            case .failure(let refusal): addition.fail(WorkerError(refusal, folder: addition.folder.label))
            }
        }
        if !isBegun { addition.fail(.tooMuchWaits) }
    }

    /// Finds out whether a folder can be one on demand, and where its contents would be kept. Nothing is changed.
    func findContents(
        _ id: String, for folder: FilePath, _ answer: @escaping (Result<ItemURI, WorkerError>) -> Void
    ) {
        let probe = OnDemandProbe(folder: folder, id: id, dataHome: places.dataHome)
        blocking.run(within: Patience.Worker.places, { probe.run() }) { result in
            switch result {
            case .success(let place):
                do throws(ItemURIError) { answer(.success(try ItemURI(path: place))) } catch {
                    answer(.failure(WorkerError(invalidURI: "\(place)", error)))
                }
            case .failure(let obstacle): answer(.failure(WorkerError(obstacle, folder: folder)))
            case nil: answer(.failure(.noAnswer(folder)))
            }
        }
    }

    /// Fails the call because the address of its remote was refused, with the advice of the kind that it is meant for.
    func refuse(_ address: String, because refusal: WorkerError, _ call: MethodCall) {
        guard let kind = kinds.kind(meantBy: address) else { return call.fail(refusal.busError) }
        let isBegun = blocking.ask {
            await kind.advice()
        } answer: { advice in
            let given = Explanation(.text, nil, refusal.message)
            call.fail(WorkerError(RemoteRefusal(.invalid, given, advice: advice)).busError)
        }
        if !isBegun { call.fail(refusal.busError) }
    }

    /// Carries out RelocateFolder.
    func relocate(_ unit: FolderUnit, to uri: ItemURI, _ call: MethodCall) {
        let id = unit.settings.id
        if unit.settings.isOnDemand { return call.fail(WorkerError.staysOnDemand(unit).busError) }
        survey { [unowned self] () throws(WorkerError) in
            let unit = try book.folders.unit(named: id)
            var questions = questionsAboutFolders()
            questions.places.insert(uri.filePath)
            for place in [uri, unit.uri] { questions.roots[place.filePath] = unit.sides.local(at: place) }
            return questions
        } then: { [unowned self] rules throws(WorkerError) in
            let unit = try book.folders.unit(named: id)
            let place = try rules.checkMove(of: unit.place, known: unit.knownRoot, to: uri)
            book.relocate(unit, to: place) { error in
                if let error { call.fail(error.busError) } else { call.reply { try $0.appendNoExtras() } }
            }
        } failed: {
            call.fail($0.busError)
        }
    }

    private func questionsAboutFolders() -> SurveyQuestions {
        SurveyQuestions(places: Set(book.syncedPlaces.flatMap { [$0.folder, $0.remote.directory].compactMap(\.self) }))
    }

    /// Gathers facts about places, then calls `decide`; `failed` if a place does not respond, or `decide` throws.
    ///
    /// - Parameter questions: Returns what to find out. It is called again for folders that were added meanwhile, so
    ///   that two simultaneous calls cannot both find a place unused.
    private func survey(
        _ questions: @escaping () throws(WorkerError) -> SurveyQuestions,
        then decide: @escaping (PlaceRules) throws(WorkerError) -> Void, failed: @escaping (WorkerError) -> Void
    ) {
        let asked: SurveyQuestions
        do throws(WorkerError) { asked = try questions() } catch { return failed(error) }
        let survey = PlaceSurvey(asked)
        blocking.run(within: Patience.Worker.places, { survey.run() }) { [unowned self] facts in
            do throws(WorkerError) {
                guard let facts else {
                    throw WorkerError.noAnswer(survey.waitsFor)
                }
                guard try questions().isAnswered(by: facts) else {
                    return self.survey(questions, then: decide, failed: failed)
                }
                try decide(PlaceRules(facts: facts, others: book.syncedPlaces))
            } catch {
                failed(error)
            }
        }
    }
}

extension WorkerError {
    /// A folder on demand is mounted where it is, and what is in it is elsewhere.
    fileprivate static func staysOnDemand(_ unit: FolderUnit) -> WorkerError {
        WorkerError(
            .unsupported,
            tr("“{1}” is on demand and cannot be moved. Turn that off first.", unit.settings.label))
    }

    fileprivate static func notMade(_ path: FilePath, _ error: Errno) -> WorkerError {
        WorkerError(.failed, tr("The directory “{1}” cannot be made: {2}.", ShownPath.short(path), "\(error)"))
    }

    static func noAnswer(_ path: FilePath?) -> WorkerError {
        WorkerError(
            .failed,
            path.map { path in
                tr(
                    "“{1}” does not answer. Check its disk or connection, or unmount it, then try again.",
                    ShownPath.short(path))
            }
                ?? tr("A synced folder does not answer. Check its disk or connection, or unmount it, then try again."))
    }
}
