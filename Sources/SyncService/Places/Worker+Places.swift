internal import DBus
internal import Rclone
internal import RoundelBus
internal import SyncCore
internal import SyncEngine
internal import WebDAV

/// Adding and moving folders. What that asks of disks is asked on another thread, with a bound; the loop only decides.
extension Worker {
    /// How long the places may take to answer.
    private static let placePatience = Duration.seconds(5)

    /// Carries out AddFolder.
    ///
    /// - Parameters:
    ///   - server: What was found out about the one that it is synced with, once that is known.
    ///   - isChecked: Whether it is known that the remote of rclone can be used.
    func add(_ folder: NewFolder, server: FoundServer? = nil, isChecked: Bool = false, _ call: MethodCall) {
        survey(call) { [unowned self] in
            var questions = questionsAboutFolders()
            questions.places.insert(folder.uri.filePath)
            if case .directory(let path) = folder.remote { questions.places.insert(path) }
            return questions
        } then: { [unowned self] rules throws(WorkerError) in
            try rules.checkNew(folder.uri.filePath, folder.remote)
            switch folder.remote {
            case .server(let place) where server == nil: return ask(place, of: folder, call)
            case .rclone(let location) where !isChecked: return ask(location, of: folder, call)
            case .directory, .server, .rclone: break
            }
            let settings = folder.settings(added: microseconds(), server: server)
            let unit = try addFolder(settings, starts: folder.starts)
            call.reply { writer in
                try writer.append(unit.settings.id)
                try writer.appendNoExtras()
            }
        }
    }

    /// Finds out about the server of a new folder; then the places are looked at again, as that takes seconds.
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

    /// The same about a remote of rclone.
    private func ask(_ location: RcloneLocation, of folder: NewFolder, _ call: MethodCall) {
        let isBegun = blocking.ask { [rclone] in
            await RemoteCheck.run(location, rclone, label: folder.label)
        } answer: { [unowned self] error in
            if let error { call.fail(error.busError) } else { add(folder, isChecked: true, call) }
        }
        if !isBegun { call.fail(WorkerError.tooMuchWaits.busError) }
    }

    /// Refuses what was given for a remote of rclone, and names those that there are.
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
            for place in [uri, unit.uri] { questions.roots[place.filePath] = try unit.root(at: place) }
            return questions
        } then: { [unowned self] rules throws(WorkerError) in
            let unit = try self.unit(named: id)
            try relocate(unit, to: rules.checkMove(of: unit.place, known: unit.knownRoot, to: uri)) { error in
                if let error { call.fail(error.busError) } else { call.reply { try $0.appendNoExtras() } }
            }
        }
    }

    private func questionsAboutFolders() -> PlaceQuestions {
        PlaceQuestions(places: Set(syncedPlaces.flatMap { [$0.folder] + ($0.remotePath.map { [$0] } ?? []) }))
    }

    /// Finds out about places, then decides; fails the call where one does not answer, and where `decide` throws.
    ///
    /// - Parameter questions: what is to be found out. It is asked again for what has come to be synced meanwhile: two
    ///   calls at once must not both find a place free.
    private func survey(
        _ call: MethodCall, _ questions: @escaping () throws(WorkerError) -> PlaceQuestions,
        then decide: @escaping (PlaceRules) throws(WorkerError) -> Void
    ) {
        let asked: PlaceQuestions
        do throws(WorkerError) { asked = try questions() } catch { return call.fail(error.busError) }
        let survey = PlaceSurvey(asked)
        blocking.run(within: Self.placePatience, { survey.run() }) { [unowned self] facts in
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
    /// Where it is.
    var place: SyncedPlace {
        SyncedPlace(id: settings.id, folder: uri.filePath, remote: remoteAddress)
    }
}
