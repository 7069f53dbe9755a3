internal import BadgeEngine
internal import CLinux
internal import Glibc
internal import RoundelBus
internal import Support
internal import SystemPackage

/// The small state file of the service: which providers are enabled, their last folders, and what the user allowed.
struct StateFile {
    private let path: FilePath

    /// The maximum size in bytes, which is more than the file can reach within the engine's limits.
    private static let limit = 32 << 20
    /// The maximum number of files that are set aside under different names.
    private static let mostCopies = 100

    /// The reason why the file cannot be used.
    struct Failure: Error {
        /// A sentence for the user: what, where and what to do.
        let sentence: String
    }

    init(folder: FilePath) {
        path = folder.appending("providers")
    }

    /// The file of this user. Without a home directory it is where the user cannot write, which is reported when the
    /// state is saved.
    static var ofUser: StateFile {
        StateFile(folder: (BaseDirectories().state ?? "/").appending(Names.stateFolder))
    }

    /// Its path, for display.
    var place: String { "\(path)" }

    /// Reads the state from the file; it is empty if there is no file. A damaged line is ignored, and the others are
    /// read.
    ///
    /// - Throws: A sentence if the file exists but cannot be read. The file is then set aside, so that it is not
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
                sentence: """
                    The list of providers \(path) cannot be read (\(error)). It is kept as \(place); providers \
                    register their folders again, and you are asked again which may be on.
                    """)
        }
    }

    /// The group of the settings for all providers. Its name cannot be a provider's ID.
    private static let common = "Service"
    private static let version = "3"
    private static let earlier = "2"

    private static func state(_ file: KeyFile) -> SavedState {
        // The first version had no such group, and did not ask for consent.
        let asked = file.groupNames.contains(common)
        // The second one did not ask about new providers.
        let knew = !asked || file.string("Version", in: common) == earlier
        var state = SavedState(allowed: asked ? allowed(file.list("Allowed", in: common)) : nil, hasAsked: !knew)
        for group in file.groupNames {
            guard let id = ProviderID(group) else { continue }
            let folders = file.list("Folders", in: group).compactMap { try? ItemURI($0) }
            state.providers[id] = SavedState.Provider(
                enabled: choice(file.string("Enabled", in: group), isEarlier: knew),
                folders: folders.map { FolderOffer(folder: $0) },
                ranks: ranks(file.list("Order", in: group)),
                app: file.string("App", in: group).flatMap { SandboxedApp(text: $0) })
        }
        return state
    }

    /// Earlier versions wrote for every provider whether it was on.
    private static func choice(_ text: String?, isEarlier: Bool) -> Bool? {
        switch text {
        case "true": true
        case "false": false
        default: isEarlier ? true : nil
        }
    }

    /// Each item contains a number and a folder.
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

    /// Each item contains the outer provider and its folder, then the inner one and its folder. Damaged items allow
    /// nothing.
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

    private static func text(_ allowed: Set<FolderNesting>, hasAsked: Bool) -> String {
        let items = allowed.map {
            "\($0.outer.provider) \($0.outer.folder.uri) \($0.inner.provider) \($0.inner.folder.uri);"
        }
        return "[\(common)]\nVersion=\(hasAsked ? version : earlier)\nAllowed=\(items.sorted().joined())\n\n"
    }

    /// Renames the file to an unused name.
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
            sentence: """
                The list of providers \(path) cannot be read (\(reason)) and not be renamed (\(problem)). Move it \
                away; until then nothing is saved.
                """)
    }

    /// Replaces the file. Canonical URIs contain neither semicolons nor backslashes, so nothing needs an escape.
    ///
    /// - Throws: A sentence. A file that cannot be read is set aside instead of being overwritten, and the sentence
    ///   says so.
    func save(_ state: SavedState) throws(Failure) {
        _ = try self.text()
        var text = state.allowed.map { Self.text($0, hasAsked: state.hasAsked) } ?? ""
        for (id, provider) in state.providers.sorted(by: { $0.key < $1.key }) {
            text += "[\(id)]\n"
            if let enabled = provider.enabled { text += "Enabled=\(enabled)\n" }
            if let app = provider.app { text += "App=\(app.text)\n" }
            text += "Folders=\(provider.folders.map { $0.folder.uri + ";" }.joined())\n"
            let order = provider.ranks.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
            text += "Order=\(order.map { "\($0.value) \($0.key.uri);" }.joined())\n\n"
        }
        do {
            try SmallFile.replace(path, with: Array(text.utf8))
        } catch {
            throw Failure(
                sentence: """
                    The list of providers cannot be written to \(path): \(error). Check that its directory is writable \
                    and the disk is not full.
                    """)
        }
    }
}
