internal import RoundelBus
internal import Support

/// Where the directories are that hosts name: a symbolic link or another mount of a file system may lead into a registered
/// folder, in a spelling that nobody knows beforehand.
extension Engine {
    /// Keeps a call until the places of its directories are found; false if they are known.
    mutating func waitsForPlaces(_ call: HostCall) -> Bool {
        if folderTable.isEmpty && placeQuestions.isEmpty { return false }
        let directories = call.request.directories
        if !placeQuestions.isEmpty, placeQuestions.join(call, about: directories) { return true }
        return find(unknown(directories, call.caller), for: call)
    }

    private mutating func find(_ directories: [ItemURI], for call: HostCall) -> Bool {
        guard !directories.isEmpty else { return false }
        let token = out.makeToken()
        placeQuestions.add(token, call, about: directories)
        out.deadlines.add(now + Limits.placePatience, .places(token))
        askForPlaces(of: call.caller)
        return true
    }

    private mutating func askForPlaces(of caller: String) {
        for (token, directories) in placeQuestions.next(of: caller) { act(.findPlaces(token, directories)) }
    }

    /// Those of the directories to which no known spelling leads; of very many only the first.
    private func unknown(_ directories: [ItemURI], _ caller: String) -> [ItemURI] {
        var found: [ItemURI] = []
        for directory in directories where observers.directory(caller, directory) == nil && !found.contains(directory) {
            guard !folderTable.isMonitored(folderTable.locate(directory)) else { continue }
            found.append(directory)
            if found.count == Limits.placesPerCall { break }
        }
        return found
    }

    /// The places of directories were found, or cannot be: the calls about them are handled.
    /// - Parameter places: of each directory how else it can be named, without symbolic links.
    mutating func placesFound(_ token: RequestToken, _ places: [[ItemURI]]) {
        guard let question = placeQuestions.remove(token) else { return }
        let table = folderTable
        for (directory, places) in zip(question.directories, places) {
            foundPlaces[directory] = places.lazy.map { table.locate($0) }.first { table.isMonitored($0) }
        }
        for call in question.calls {
            out.asker = call.caller
            // One that waited for the sake of the order may be about other directories, too.
            let others = unknown(call.request.directories, call.caller).filter { !question.directories.contains($0) }
            if others.isEmpty || call.token == question.calls.first?.token { perform(call) } else { handle(call) }
        }
        foundPlaces = [:]
        askForPlaces(of: question.caller)
    }

    /// The place of a directory that its caller observes by this spelling, or that was just found.
    private func usedPlace(of directory: ItemURI, _ caller: String) -> ItemURI? {
        if let id = observers.directory(caller, directory) { return directories[id].location }
        return foundPlaces.isEmpty ? nil : foundPlaces[directory]
    }

    /// The place that a caller means by the URI of a directory.
    func place(ofDirectory uri: ItemURI, for caller: String) -> ItemURI {
        usedPlace(of: uri, caller) ?? folderTable.locate(uri)
    }

    /// The place that a caller means by the URI of an item, which may be a directory.
    func place(ofItem uri: ItemURI, for caller: String) -> ItemURI {
        if let place = usedPlace(of: uri, caller) { return place }
        let location = folderTable.locate(uri)
        guard folderTable.folder(containing: location) == nil, let parent = uri.parent, let name = uri.name,
            let place = usedPlace(of: parent, caller)
        else { return location }
        return folderTable.locate(place.appending(name))
    }
}

extension HostRequest {
    /// The directories that a call is about, and those whose items it is about.
    fileprivate var directories: [ItemURI] {
        switch self {
        case .beginObserving(let uri), .endObserving(let uri), .requestBadges(let uri, _),
            .requestDirectory(let uri, after: _, limit: _):
            return [uri]
        case .getMenu(kind: _, let target, let selection):
            var directories = target.map { [$0] } ?? []
            for parent in selection.lazy.compactMap(\.parent) where parent != directories.last {
                directories.append(parent)
            }
            return directories
        case .getAttributes(let uri, keys: _), .getItemService(let uri, interface: _):
            return uri.parent.map { [$0] } ?? []
        case .activate, .activateNotice: return []
        }
    }
}
