internal import Glibc
internal import SystemPackage

/// What root puts into the directories in which file managers look for plugins, and takes out of them again.
///
/// That is always a link. Where others than root can change the plugin, it leads to a copy that belongs to root, because
/// everybody's file manager loads what is in these directories. A record says what was made.
struct SystemPlaces {
    let installation: Installation

    private var record: FilePath { installation.systemFolder.appending("record") }

    /// Puts the plugin of a file manager where it looks. What somebody else put there stays.
    /// - Throws: ``SetupFailure``.
    func put(_ manager: InstalledFileManager) throws(SetupFailure) {
        for library in manager.libraries {
            guard let built = library.built.flatMap(FileSystemFacts.resolved), let place = library.place else {
                continue
            }
            switch library.occupant {
            case .ours, .another: continue
            case .nothing, .danglingLink, .outdatedCopy: try put(built, library.file, at: place)
            }
        }
    }

    private func put(_ built: FilePath, _ file: String, at place: FilePath) throws(SetupFailure) {
        var made = PlacesRecord.read(record)
        let target: FilePath
        if FileSystemFacts.isRootsAlone(built) {
            target = built
            try OwnFiles.makeDirectory(installation.systemFolder, mode: 0o755)
        } else {
            target = installation.systemFolder.appending(file)
            try OwnFiles.makeDirectory(installation.systemFolder, mode: 0o755)
            try OwnFiles.copy(built, to: target, owner: FileSystemFacts.status(installation.prefix)?.st_uid ?? 0)
        }
        made.directories += try OwnFiles.makeDirectory(place.removingLastComponent(), mode: 0o755)
        if !made.links.contains(place) { made.links.append(place) }
        try OwnFiles.write(made.text, to: record)
        try OwnFiles.link(place, to: target)
    }

    /// The links that lead to this installation's plugins for these file managers.
    func links(of managers: [SupportedFileManager]) -> [FilePath] {
        let recorded = PlacesRecord.read(record).links
        let places = managers.compactMap { InstalledFileManager($0, installation) }
            .flatMap { $0.libraries.compactMap(\.place) }
        let files = Set(managers.flatMap { $0.libraries.map(\.file) })
        return (recorded + places.filter { !recorded.contains($0) }).filter { link in
            files.contains(link.lastComponent?.string ?? "") && isOurs(link)
        }
    }

    /// Takes away what ``put(_:)`` made for these file managers.
    /// - Throws: ``SetupFailure``.
    func remove(_ managers: [SupportedFileManager]) throws(SetupFailure) {
        for link in links(of: managers) { try OwnFiles.remove(link) }
        for library in managers.flatMap(\.libraries) {
            try OwnFiles.remove(installation.systemFolder.appending(library.file))
        }
        var made = PlacesRecord.read(record)
        made.links.removeAll { FileSystemFacts.status($0) == nil }
        made.directories.reversed().forEach(OwnFiles.removeIfEmpty)
        made.directories.removeAll { !FileSystemFacts.exists($0) }
        if made.links.isEmpty {
            try OwnFiles.remove(record)
            OwnFiles.removeIfEmpty(installation.systemFolder)
            OwnFiles.removeIfEmpty(installation.systemFolder.removingLastComponent())
        } else {
            try OwnFiles.write(made.text, to: record)
        }
    }

    private func isOurs(_ link: FilePath) -> Bool {
        guard let target = FileSystemFacts.target(ofLink: link), target.lastComponent == link.lastComponent else {
            return false
        }
        return target.starts(with: installation.systemFolder) || target.starts(with: installation.prefix)
    }
}

/// What root made, a line each: `link PATH` or `directory PATH`, the outer directory before the inner one.
private struct PlacesRecord {
    var links: [FilePath] = []
    var directories: [FilePath] = []

    var text: String {
        (links.map { "link \($0.string)" } + directories.map { "directory \($0.string)" }).map { $0 + "\n" }.joined()
    }

    /// What a line names.
    private enum Kind: String { case link, directory }

    static func read(_ file: FilePath) -> PlacesRecord {
        let text = FileSystemFacts.withContents(of: file) { String(decoding: $0, as: UTF8.self) } ?? ""
        var record = PlacesRecord()
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2 else { continue }
            switch Kind(rawValue: String(parts[0])) {
            case .link: record.links.append(FilePath(String(parts[1])))
            case .directory: record.directories.append(FilePath(String(parts[1])))
            case nil: continue
            }
        }
        return record
    }
}
