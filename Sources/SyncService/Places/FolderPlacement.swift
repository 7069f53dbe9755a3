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
    ///
    /// - Parameters:
    ///   - findings: What was found out about its remote, once that is known.
    ///   - contents: Where the contents of a folder on demand are kept, once that is known.
    func add(_ folder: NewFolder, findings: RemoteFindings? = nil, contents: ItemURI? = nil, _ call: MethodCall) {
        survey(call) { [unowned self] in
            var questions = questionsAboutFolders()
            questions.places.insert(folder.uri.filePath)
            if let path = folder.remote.directory { questions.places.insert(path) }
            return questions
        } then: { [unowned self] rules throws(WorkerError) in
            try rules.checkNew(folder.uri.filePath, folder.remote)
            try requireForeign(folder)
            if folder.isOnDemand, contents == nil {
                return findContents(folder.id, for: folder.uri.filePath) { [unowned self] result in
                    switch result {
                    case .success(let place): add(folder, findings: findings, contents: place, call)
                    case .failure(let error): call.fail(error.busError)
                    }
                }
            }
            if folder.remote.needsNetwork, findings == nil { return tryOut(folder, contents, call) }
            let settings = folder.settings(
                added: WallClock.microseconds, findings: findings ?? RemoteFindings(), contents: contents)
            let unit = try book.add(settings, folder.starts ? .now : .byCall(from: call.sender))
            call.reply { writer in
                try writer.append(unit.settings.id)
                try writer.appendNoExtras()
            }
        }
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

    /// Tries out the remote of a new folder. Then the places are checked again, because that takes seconds.
    private func tryOut(_ folder: NewFolder, _ contents: ItemURI?, _ call: MethodCall) {
        let isBegun = blocking.ask { [remote = folder.remote] () -> Result<RemoteFindings, RemoteRefusal> in
            do throws(RemoteRefusal) { return .success(try await remote.tryOut()) } catch { return .failure(error) }
        } answer: { [unowned self] result in
            switch result {
            case .success(let findings): add(folder, findings: findings, contents: contents, call)
            case .failure(let refusal): call.fail(WorkerError(refusal, folder: folder.label).busError)
            }
        }
        if !isBegun { call.fail(WorkerError.tooMuchWaits.busError) }
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
        survey(call) { [unowned self] () throws(WorkerError) in
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
        }
    }

    private func questionsAboutFolders() -> SurveyQuestions {
        SurveyQuestions(places: Set(book.syncedPlaces.flatMap { [$0.folder, $0.remote.directory].compactMap(\.self) }))
    }

    /// Gathers facts about places, then calls `decide`. The call fails if a place does not respond, and if `decide`
    /// throws.
    ///
    /// - Parameter questions: Returns what to find out. It is called again for folders that were added meanwhile, so
    ///   that two simultaneous calls cannot both find a place unused.
    private func survey(
        _ call: MethodCall, _ questions: @escaping () throws(WorkerError) -> SurveyQuestions,
        then decide: @escaping (PlaceRules) throws(WorkerError) -> Void
    ) {
        let asked: SurveyQuestions
        do throws(WorkerError) { asked = try questions() } catch { return call.fail(error.busError) }
        let survey = PlaceSurvey(asked)
        blocking.run(within: Patience.Worker.places, { survey.run() }) { [unowned self] facts in
            do throws(WorkerError) {
                guard let facts else {
                    throw WorkerError.noAnswer(survey.waitsFor)
                }
                guard try questions().isAnswered(by: facts) else {
                    return self.survey(call, questions, then: decide)
                }
                try decide(PlaceRules(facts: facts, others: book.syncedPlaces))
            } catch {
                call.fail(error.busError)
            }
        }
    }
}

extension WorkerError {
    /// A folder on demand is mounted where it is, and what is in it is elsewhere.
    fileprivate static func staysOnDemand(_ unit: FolderUnit) -> WorkerError {
        WorkerError(
            .unsupported,
            tr(
                "“{1}” is on demand and cannot be moved. Turn that off with: roundel on-demand --off {2}",
                unit.settings.label, ShownPath.word(unit.uri.filePath)))
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
