internal import RoundelBus
internal import Support

/// The place of a directory that a host named.
struct FoundPlace {
    /// Within a registered folder, if it is in one.
    let location: ItemURI
    /// The symbolic links that lead there from the place that its spelling suggests.
    let links: [PlaceLink]
}

/// Finds the directories that hosts name: a symbolic link or another mount of a file system may lead into a registered
/// folder, or from one of its directories to another, with a spelling that was not known before.
extension Engine {
    /// Keeps a call until the places of its directories are found, or refuses it if too much waits; false if they are
    /// known.
    mutating func waitsForPlaces(_ call: HostCall) -> Bool {
        if folderTable.isEmpty && placeQuestions.isEmpty { return false }
        let directories = call.request.directories
        let question = placeQuestions.isEmpty ? nil : placeQuestions.question(of: call.caller, about: directories)
        let unknown = question != nil || folderTable.isEmpty ? [] : unknown(directories, call.caller)
        guard question != nil || !unknown.isEmpty else { return false }
        if !placeQuestions.hasRoom(for: call) {
            fail(call.token, .tooMuchWaits)
        } else if let question {
            placeQuestions.join(call, question)
        } else {
            find(unknown, for: call)
        }
        return true
    }

    private mutating func find(_ directories: [ItemURI], for call: HostCall) {
        let token = out.makeToken()
        placeQuestions.add(token, call, about: directories)
        out.deadlines.add(now + Limits.placePatience, .places(token))
        askForPlaces(of: call.caller)
    }

    private mutating func askForPlaces(of caller: String) {
        for (token, directories) in placeQuestions.next(of: caller) { act(.findPlaces(token, directories)) }
    }

    /// The directories whose spelling does not determine their place; of very many, only the first.
    private func unknown(_ directories: [ItemURI], _ caller: String) -> [ItemURI] {
        var found: [ItemURI] = []
        for directory in directories where observers.directory(caller, directory) == nil && !found.contains(directory) {
            guard isUncertain(folderTable.locate(directory), for: caller) else { continue }
            found.append(directory)
            if found.count == Limits.placesPerCall { break }
        }
        return found
    }

    /// Whether a link may lead elsewhere than to this place: it is in no folder, or deeper in one than what the
    /// provider registered, and it is not observed. An observed directory is at its own place. A caller that starts
    /// with thousands at once must not have its calls refused because too many wait.
    private func isUncertain(_ location: ItemURI, for caller: String) -> Bool {
        guard folderTable.isMonitored(location) else { return true }
        guard let folder = folderTable.folder(containing: location), folder.location != location else { return false }
        return directories.id(at: location) == nil && !placeQuestions.isCrowded(for: caller)
    }

    /// The places of directories were found, or cannot be: handles the calls about them.
    mutating func placesFound(_ token: RequestToken, _ found: [FoundDirectory]) {
        guard let question = placeQuestions.remove(token) else { return }
        for (directory, found) in zip(question.directories, found) { foundPlaces[directory] = place(directory, found) }
        for call in question.calls {
            out.asker = call.caller
            // A call that waited only to keep the order may be about other directories, too.
            let others = unknown(call.request.directories, call.caller).filter { !question.directories.contains($0) }
            if others.isEmpty || call.token == question.calls.first?.token { perform(call) } else { handle(call) }
        }
        foundPlaces = [:]
        askForPlaces(of: question.caller)
    }

    /// The place of a directory from what was found; nil if nothing was, so that only its spelling is known.
    private func place(_ directory: ItemURI, _ found: FoundDirectory) -> FoundPlace? {
        let table = folderTable
        let locations = found.places.lazy.map { table.locate($0) }
        guard let location = locations.first(where: { table.isMonitored($0) }) ?? locations.first else { return nil }
        // The place of a folder is determined by its provider's spellings, which are kept up to date.
        return FoundPlace(location: location, links: location == table.locate(directory) ? [] : found.links)
    }

    /// The place of a directory that its caller observes under this spelling, or that was just found.
    private func usedPlace(of directory: ItemURI, _ caller: String) -> ItemURI? {
        if let id = observers.directory(caller, directory) { return directories[id].location }
        return foundPlaces.isEmpty ? nil : foundPlaces[directory]?.location
    }

    /// The place of a directory that a caller names by URI.
    func place(ofDirectory uri: ItemURI, for caller: String) -> ItemURI {
        usedPlace(of: uri, caller) ?? folderTable.locate(uri)
    }

    /// The place of a menu's target that a caller names by URI: a directory that the caller shows, wherever links lead.
    func place(ofTarget uri: ItemURI, for caller: String) -> ItemURI {
        usedPlace(of: uri, caller) ?? place(ofItem: uri, for: caller)
    }

    /// The place of an item that a caller names by URI. Within a folder, a link is an item itself; elsewhere it stands
    /// for the directory that it leads to.
    func place(ofItem uri: ItemURI, for caller: String) -> ItemURI {
        var location = folderTable.locate(uri)
        if let parent = uri.parent, let name = uri.name, let place = usedPlace(of: parent, caller) {
            location = folderTable.locate(place.appending(name))
        }
        if folderTable.folder(containing: location) != nil { return location }
        return usedPlace(of: uri, caller) ?? location
    }
}

extension HostRequest {
    /// The directories that a call concerns, including those whose items it concerns.
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
