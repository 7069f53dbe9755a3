internal import Glibc
internal import SystemPackage

/// A file manager of this machine, and where Roundel's plugin for it is.
package struct InstalledFileManager: Sendable, Equatable {
    /// The item with the library's name in the directory where the file manager looks.
    enum Occupant: Sendable, Equatable {
        case nothing
        /// A link to a file that no longer exists.
        case danglingLink
        /// The library of this installation: the file itself, a link to it, or a link to a copy with the same contents.
        case ours
        /// A link to an outdated copy of this installation's library.
        case outdatedCopy
        /// A library that another program, such as another installation, put there.
        case another
    }

    /// A library that it has to load.
    struct Library: Sendable, Equatable {
        let file: String
        /// Its path in this installation.
        let built: FilePath?
        /// The path where the file manager looks for it.
        let place: FilePath?
        let occupant: Occupant
        /// Whether this session's variable contains a directory with it.
        let isNamed: Bool
    }

    /// Whether the file manager finds the plugin.
    package enum Standing: Hashable, Sendable {
        /// Every library is in the place where it looks.
        case inPlace
        /// With this session's variable it finds every library.
        case named
        case missing
        /// It loads outdated copies of the plugin.
        case outdated
        /// This installation has no plugin for it.
        case notBuilt
        /// It is not known where it looks for plugins.
        case placeUnknown
    }

    /// Which one it is.
    package let manager: SupportedFileManager
    /// The path of its program, with links resolved.
    let program: FilePath
    let libraries: [Library]
    /// The command that installs its plugin, where this installation consists of packages.
    var pluginCommand: String?

    /// What gives this installation a plugin for it.
    var remedyForNoPlugin: Finding.Remedy { pluginCommand.map { .installPlugin(command: $0) } ?? .buildPlugins }

    /// Whether it finds the plugin.
    package var standing: Standing {
        if libraries.allSatisfy({ $0.occupant == .ours || $0.occupant == .another }) { return .inPlace }
        if libraries.allSatisfy(\.isNamed) { return .named }
        if libraries.contains(where: { $0.built == nil }) { return .notBuilt }
        if libraries.contains(where: { $0.place == nil }) { return .placeUnknown }
        return libraries.contains { $0.occupant == .outdatedCopy } ? .outdated : .missing
    }

    /// The directory to add to its variable so that it finds this installation's libraries; nil if it has no variable,
    /// or a library is missing.
    var directoryToName: FilePath? {
        guard manager.variable != nil, libraries.allSatisfy({ $0.built != nil }) else { return nil }
        guard let library = manager.libraries.first, var path = libraries.first?.built else { return nil }
        path.removeLastComponent()
        // Qt looks below the directories in the variable: kf5/overlayicon.
        if !library.below.isEmpty { path = path.removingLastComponent().removingLastComponent() }
        return path
    }
}

extension InstalledFileManager {
    /// Examines a file manager; nil if it is not installed.
    init?(_ manager: SupportedFileManager, _ installation: Installation) {
        guard let found = installation.found(manager.program), let program = FileSystemFacts.resolved(found) else {
            return nil
        }
        let places = Places(manager, program, installation)
        let named = manager.variable.flatMap(installation.environment)?.split(separator: ":").map {
            FilePath(String($0))
        }
        self.manager = manager
        self.program = program
        pluginCommand = installation.pluginCommand(manager)
        libraries = manager.libraries.map { library in
            let built = installation.built(library.file, in: places.foldersBelowLibraries(for: library))
            let place = places.directory(for: library)?.appending(library.file)
            return Library(
                file: library.file, built: built, place: place,
                occupant: place.map { InstalledFileManager.occupant(of: $0, built, installation) } ?? .nothing,
                isNamed: (named ?? []).contains { directory in
                    let folder = library.below.isEmpty ? directory : places.frameworks(below: directory, library)
                    return FileSystemFacts.exists(folder.appending(library.file))
                })
        }
    }

    private static func occupant(of place: FilePath, _ built: FilePath?, _ installation: Installation) -> Occupant {
        guard let status = FileSystemFacts.status(place) else { return .nothing }
        guard let resolved = FileSystemFacts.resolved(place) else {
            return status.st_mode & S_IFMT == S_IFLNK ? .danglingLink : .another
        }
        guard let built else { return .another }
        if resolved == FileSystemFacts.resolved(built) { return .ours }
        guard let target = FileSystemFacts.target(ofLink: place), target.starts(with: installation.systemFolder) else {
            return .another
        }
        return FileSystemFacts.haveEqualContents(resolved, built) ? .ours : .outdatedCopy
    }
}

/// The places where one file manager looks for plugins.
private struct Places {
    /// The directory of a plugin that is in no subdirectory.
    private let directory: FilePath?
    private let qt: Int
    private let manager: SupportedFileManager

    init(_ manager: SupportedFileManager, _ program: FilePath, _ installation: Installation) {
        self.manager = manager
        switch manager.lookup {
        case .compiledIn(let ending, let library):
            let holders =
                library.map { library in installation.libraries.map { $0.appending(library) } } ?? [program]
            let compiled = holders.lazy.compactMap { holder in
                FileSystemFacts.withContents(of: holder) { CompiledPath.find(ending: ending, in: $0) }
            }.first { !$0.isEmpty }
            let usual = installation.libraries.map { $0.appending(FilePath(String(ending.dropFirst())).components) }
            directory =
                (compiled ?? []).first(where: FileSystemFacts.exists) ?? compiled?.first
                ?? usual.first(where: FileSystemFacts.exists)
            qt = 0
        case .qt:
            let generation = FileSystemFacts.withContents(of: program) { contents in
                [6, 5].first { CompiledPath.contains("libQt\($0)Core.so.\($0)", in: contents) }
            }
            qt = (generation ?? nil) ?? 5
            let folders = ["qt\(qt)/plugins", "qt/plugins"].map { FilePath($0) }
            directory = installation.libraries.lazy
                .flatMap { library in folders.map { library.appending($0.components) } }
                .first { FileSystemFacts.exists($0.appending("platforms")) }
        }
    }

    func directory(for library: SupportedFileManager.Library) -> FilePath? {
        directory.map { library.below.isEmpty ? $0 : frameworks(below: $0, library) }
    }

    /// The place of a plugin for KDE's frameworks below a directory of Qt's plugins.
    func frameworks(below directory: FilePath, _ library: SupportedFileManager.Library) -> FilePath {
        directory.appending("kf\(qt)").appending(library.below)
    }

    /// The directories, relative to a library directory, in which an installation has the library.
    func foldersBelowLibraries(for library: SupportedFileManager.Library) -> [String] {
        switch manager.lookup {
        case .compiledIn(let ending, _): [String(ending.dropFirst())]
        case .qt: ["qt\(qt)/plugins", "qt/plugins", "plugins"].map { "\($0)/kf\(qt)/\(library.below)" }
        }
    }
}
