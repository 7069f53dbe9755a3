internal import DBus
internal import Rclone
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine
internal import WebDAV

/// Adds and moves folders. The necessary disk access runs on another thread, with a time limit; the loop only decides.
extension Worker {
    /// Carries out AddFolder.
    ///
    /// - Parameters:
    ///   - server: What was found out about its server, once that is known.
    ///   - isChecked: Whether the rclone remote is known to be usable.
    func add(_ folder: NewFolder, server: FoundServer? = nil, isChecked: Bool = false, _ call: MethodCall) {
        survey(call) { [unowned self] in
            var questions = questionsAboutFolders()
            questions.places.insert(folder.uri.filePath)
            if case .directory(let path) = folder.remote { questions.places.insert(path) }
            return questions
        } then: { [unowned self] rules throws(WorkerError) in
            try rules.checkNew(folder.uri.filePath, folder.remote)
            try requireForeign(folder)
            switch folder.remote {
            case .server(let place) where server == nil: return ask(place, of: folder, call)
            case .rclone(let location) where !isChecked: return ask(location, of: folder, call)
            case .directory, .server, .rclone: break
            }
            let settings = folder.settings(added: microseconds(), server: server)
            let unit = try addFolder(settings, startedBy: folder.starts ? nil : call.sender)
            call.reply { writer in
                try writer.append(unit.settings.id)
                try writer.appendNoExtras()
            }
        }
    }

    /// Fails if a side of a new folder is in the directories of Roundel's own settings and state.
    private func requireForeign(_ folder: NewFolder) throws(WorkerError) {
        let own = OwnPlaces(places)
        if own.hold(folder.uri.filePath) { throw .ownPlace(folder.uri.filePath) }
        if case .directory(let path) = folder.remote, own.hold(path) { throw .ownPlace(path) }
    }

    /// Probes the server of a new folder. Then the places are checked again, because that takes seconds.
    private func ask(_ place: ServerPlace, of folder: NewFolder, _ call: MethodCall) {
        let connection = ServerConnection(place, from: logins)
        let isBegun = blocking.ask {
            await ServerCheck.run(place, connection, label: folder.label)
        } answer: { [unowned self] result in
            switch result {
            case .success(let server): add(folder, server: server, call)
            case .failure(let error): call.fail(error.busError)
            }
        }
        if !isBegun { call.fail(WorkerError.tooMuchWaits.busError) }
    }

    /// The same for a remote of rclone.
    private func ask(_ location: RcloneLocation, of folder: NewFolder, _ call: MethodCall) {
        let isBegun = blocking.ask { [rclone] in
            await RemoteCheck.run(location, rclone, label: folder.label)
        } answer: { [unowned self] error in
            if let error { call.fail(error.busError) } else { add(folder, isChecked: true, call) }
        }
        if !isBegun { call.fail(WorkerError.tooMuchWaits.busError) }
    }

    /// Fails the call because its rclone remote is not valid, and lists the existing ones.
    func offerRemotes(after refusal: WorkerError, _ call: MethodCall) {
        let isBegun = blocking.ask { [rclone] in
            await RemoteCheck.offering(rclone, after: refusal.message)
        } answer: { error in
            call.fail(error.busError)
        }
        if !isBegun { call.fail(refusal.busError) }
    }

    /// Carries out RelocateFolder.
    func relocate(_ unit: FolderUnit, to uri: ItemURI, _ call: MethodCall) {
        let id = unit.settings.id
        survey(call) { [unowned self] () throws(WorkerError) in
            let unit = try self.unit(named: id)
            var questions = questionsAboutFolders()
            questions.places.insert(uri.filePath)
            for place in [uri, unit.uri] { questions.roots[place.filePath] = unit.root(at: place) }
            return questions
        } then: { [unowned self] rules throws(WorkerError) in
            let unit = try self.unit(named: id)
            try relocate(unit, to: rules.checkMove(of: unit.place, known: unit.knownRoot, to: uri)) { error in
                if let error { call.fail(error.busError) } else { call.reply { try $0.appendNoExtras() } }
            }
        }
    }

    private func questionsAboutFolders() -> SurveyQuestions {
        SurveyQuestions(places: Set(syncedPlaces.flatMap { [$0.folder] + ($0.remotePath.map { [$0] } ?? []) }))
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
                try decide(PlaceRules(facts: facts, others: syncedPlaces))
            } catch {
                call.fail(error.busError)
            }
        }
    }
}

extension FolderUnit {
    /// The places of the folder and its remote.
    var place: SyncedPlace {
        SyncedPlace(id: settings.id, folder: uri.filePath, remote: remoteAddress)
    }
}
