internal import BadgeEngine
internal import CLinux
internal import Glibc
internal import RoundelBus
internal import Support
internal import SystemPackage

/// The service's one small state file: which providers are enabled, which folders each had last, and what a person allowed.
struct StateFile {
    private let path: FilePath

    /// More than the engine's limits let the file become.
    private static let limit = 32 << 20
    /// How many files are set aside before no name is left for another.
    private static let mostCopies = 100

    /// Why the file cannot be used.
    struct Failure: Error {
        /// What, where and what to do, for a person.
        let sentence: String
    }

    init(folder: FilePath) {
        path = folder.appending("providers")
    }

    /// Its path, for a person.
    var place: String { "\(path)" }

    /// What the file says; empty if there is none. A damaged line costs that line alone.
    ///
    /// - Throws: a sentence where there is a file that cannot be read. It is set aside then, so that it is not
    ///   overwritten.
    func load() throws(Failure) -> SavedState {
        try text().map { Self.state(KeyFile(parsing: $0)) } ?? SavedState()
    }

    private func text() throws(Failure) -> String? {
        do {
            return try SmallFile.read(path, limit: Self.limit).map { String(decoding: $0, as: UTF8.self) }
        } catch {
            let place = try setAside(error)
            throw Failure(
                sentence: Texts.stateUnreadable("\(path)", because: "\(error)", keptAs: "\(place)"))
        }
    }

    /// The group of what concerns all providers, whose name is no provider's id.
    private static let common = "Service"
    private static let version = "2"

    private static func state(_ file: KeyFile) -> SavedState {
        // The first version had no such group, and asked nobody.
        let asked = file.groupNames.contains(common)
        var state = SavedState(allowed: asked ? allowed(file.list("Allowed", in: common)) : nil)
        for group in file.groupNames {
            guard let id = ProviderID(group) else { continue }
            let folders = file.list("Folders", in: group).compactMap { try? ItemURI($0) }
            state.providers[id] = SavedState.Provider(
                enabled: file.string("Enabled", in: group) != "false",
                folders: folders.map { FolderOffer(folder: $0) },
                ranks: ranks(file.list("Order", in: group)))
        }
        return state
    }

    /// Each item has a number and a folder.
    private static func ranks(_ items: [String]) -> [ItemURI: UInt64] {
        var ranks: [ItemURI: UInt64] = [:]
        for item in items.prefix(Limits.foldersPerProvider) {
            let parts = item.split(separator: " ", omittingEmptySubsequences: false)
            guard parts.count == 2, let rank = UInt64(parts[0]), let folder = try? ItemURI(String(parts[1])) else {
                continue
            }
            ranks[folder] = rank
        }
        return ranks
    }

    /// Each item has the outer provider and its folder, then the inner one and its folder. What is damaged allows nothing.
    private static func allowed(_ items: [String]) -> Set<FolderNesting> {
        let nestings = items.prefix(Limits.consents).compactMap { item -> FolderNesting? in
            let parts = item.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 4, let outer = folder(parts[0], parts[1]), let inner = folder(parts[2], parts[3]),
                outer.provider != inner.provider
            else { return nil }
            return FolderNesting(outer: outer, inner: inner)
        }
        return FolderNesting.areWithinLimits(nestings) ? Set(nestings) : []
    }

    private static func folder(_ provider: String, _ uri: String) -> FolderNesting.Folder? {
        guard let id = ProviderID(provider), let folder = try? ItemURI(uri) else { return nil }
        return FolderNesting.Folder(provider: id, folder: folder)
    }

    private static func text(_ allowed: Set<FolderNesting>) -> String {
        let items = allowed.map {
            "\($0.outer.provider) \($0.outer.folder.uri) \($0.inner.provider) \($0.inner.folder.uri);"
        }
        return "[\(common)]\nVersion=\(version)\nAllowed=\(items.sorted().joined())\n\n"
    }

    /// Gives the file a name that no other has.
    private func setAside(_ reason: Errno) throws(Failure) -> FilePath {
        var problem = Errno.fileExists
        for number in 1...Self.mostCopies where problem == .fileExists {
            let place = FilePath("\(path.string).unreadable-\(number)")
            let renamed = path.withPlatformString { from in
                place.withPlatformString { clinux_renameat2(AT_FDCWD, from, AT_FDCWD, $0, CLINUX_RENAME_NOREPLACE) }
            }
            if renamed == 0 { return place }
            problem = Errno(rawValue: errno)
        }
        throw Failure(
            sentence: Texts.stateStuck("\(path)", because: "\(reason)", notRenamed: "\(problem)"))
    }

    /// Replaces the file. Canonical URIs hold neither semicolons nor backslashes, so nothing needs an escape.
    ///
    /// - Throws: a sentence. What cannot be read is not overwritten but set aside first, which is said, too.
    func save(_ state: SavedState) throws(Failure) {
        _ = try self.text()
        var text = state.allowed.map { Self.text($0) } ?? ""
        for (id, provider) in state.providers.sorted(by: { $0.key < $1.key }) {
            text += "[\(id)]\nEnabled=\(provider.enabled)\n"
            text += "Folders=\(provider.folders.map { $0.folder.uri + ";" }.joined())\n"
            let order = provider.ranks.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
            text += "Order=\(order.map { "\($0.value) \($0.key.uri);" }.joined())\n\n"
        }
        do {
            try SmallFile.replace(path, with: Array(text.utf8))
        } catch {
            throw Failure(sentence: Texts.stateNotSaved("\(path)", because: "\(error)"))
        }
    }
}
