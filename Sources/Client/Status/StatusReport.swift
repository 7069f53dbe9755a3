package import DBus
package import RoundelBus

/// Why the worker's folders are not known.
package enum WorkerAbsence: Error, Hashable, Sendable {
    /// It cannot be asked, or refuses to answer.
    case failed(DBusError)
    /// It did not answer in time.
    case late
}

/// The states of all folders, or of one.
package struct StatusReport: Sendable, Equatable {
    /// Sorted by path.
    package private(set) var folders: [FolderSummary]
    /// Whether changes are reported to the worker; nil until it responds.
    package internal(set) var isWatching: Bool?
    /// Why the worker's folders are not known; nil if they are, or if there is no worker.
    package internal(set) var absence: WorkerAbsence?

    /// A report of these folders.
    package init(_ folders: [FolderSummary], isWatching: Bool? = nil) {
        self.folders = folders.sorted { $0.uri < $1.uri }
        self.isWatching = isWatching
    }

    /// Updates the state of a folder. The state that the badge service remembers never replaces an engine's.
    package mutating func update(_ folder: FolderSummary) {
        if let index = folders.firstIndex(where: { $0.uri == folder.uri }) {
            if folder.details != nil || folders[index].details == nil { folders[index] = folder }
        } else {
            folders = (folders + [folder]).sorted { $0.uri < $1.uri }
        }
    }

    /// Removes all folders except those that the badge service knows and those that an engine reported.
    mutating func retain(_ uris: [ItemURI]) {
        folders.removeAll { $0.details == nil && !uris.contains($0.uri) }
    }

    /// Removes what engines reported, except the bundled one and these.
    /// - Returns: Whether there was anything to remove.
    mutating func retain(engines: [Engine]) -> Bool {
        let count = folders.count
        folders.removeAll { folder in
            folder.engine.map { !$0.isBundled && !engines.contains($0) } ?? false
        }
        return folders.count < count
    }

    /// Takes over the answer of an engine, which knows all of its folders.
    mutating func take(_ answer: FoldersProxy.StatusReport, of engine: Engine = .bundled) {
        if engine.isBundled { (isWatching, absence) = (answer.isWatching, nil) }
        let known = answer.folders.compactMap { FolderSummary($0, of: engine) }
        folders.removeAll { $0.engine == engine && !known.map(\.uri).contains($0.uri) }
        for folder in known { update(folder) }
    }

    /// The report for only the folder that is or contains the item.
    package func restricted(to item: ItemURI) -> StatusReport? {
        let holders = folders.filter { item.isWithin($0.uri) }
        // Folders of different providers may nest; the deepest one owns the item.
        guard let folder = holders.max(by: { $0.uri.path.utf8.count < $1.uri.path.utf8.count }) else { return nil }
        var report = self
        report.folders = [folder]
        return report
    }

    /// The worst state of all folders; unknown if there are none.
    package var state: FolderSummary.State { .worst(of: folders.map(\.state)) }

    /// Whether any folder needs the user.
    package var needsUser: Bool { folders.contains(where: \.needsUser) }

    /// Notes why the worker's folders are not known.
    /// - Throws: The error, if nothing else is known.
    mutating func note(_ error: any Error, isAlone: Bool) throws {
        guard let error = error as? DBusError, !isAlone else { throw error }
        absence = .failed(error)
    }

    /// Forgets that there is no worker if there are other folders: who uses another provider alone needs none.
    mutating func forgetMissingWorker() {
        if case .failed(let error) = absence, error.isMissingService, !folders.isEmpty { absence = nil }
    }
}
