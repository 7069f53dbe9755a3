internal import BadgeEngine
internal import DBus
internal import Glibc
internal import RoundelBus
internal import Support
internal import SystemPackage

/// Finds the manifests: `ID.provider` below `roundel/providers` in `$XDG_DATA_HOME`, then in each of `$XDG_DATA_DIRS`.
/// The first one found is used, even if it is not valid, so that the user can mask others.
struct ManifestFolders {
    /// Where manifests are, the most important first.
    let folders: [FilePath]
    private let locales: [String]

    init(data: [FilePath], locales: [String]) {
        folders = data.map { $0.appending(FilePath(Names.manifestFolder).components) }
        self.locales = locales
    }

    /// The folders of this user and the system, with the locales of the session.
    static var ofUser: ManifestFolders {
        let directories = BaseDirectories()
        return ManifestFolders(
            data: [directories.data].compactMap(\.self) + directories.systemData,
            locales: Locales.ofSession)
    }

    /// Reads all manifests again; also returns the problems of those that are not valid.
    func load() -> (manifests: [Manifest], problems: [String]) {
        var seen: Set<String> = []
        var manifests: [Manifest] = []
        var problems: [String] = []
        for folder in folders {
            for file in Self.entries(of: folder).sorted() where file.hasSuffix(Names.manifestSuffix) {
                let id = String(file.dropLast(Names.manifestSuffix.utf8.count))
                guard seen.insert(id).inserted else { continue }
                let path = folder.appending(file)
                switch read(path, id: id) {
                case .success(let manifest): manifests.append(manifest)
                case .failure(let problem): problems.append(problem.sentence)
                }
            }
        }
        return (manifests, problems)
    }

    /// The maximum size of a manifest in bytes.
    private static let limit = 1 << 20

    /// Why a manifest is ignored.
    struct Problem: Error { let sentence: String }

    /// Reads one manifest.
    func read(_ path: FilePath, id: String) -> Result<Manifest, Problem> {
        guard let id = ProviderID(id) else {
            return .failure(
                Problem(
                    sentence: """
                        The provider manifest \(path) is ignored: its file name is not a provider id (a-z, then at \
                        most 31 of a-z 0-9 -).
                        """))
        }
        guard let bytes = (try? SmallFile.read(path, limit: Self.limit)) ?? nil else {
            return .failure(Problem(sentence: "The provider manifest \(path) is ignored: it cannot be read."))
        }
        let file = KeyFile(parsing: String(decoding: bytes, as: UTF8.self))
        let group = "Provider"
        guard let busName = file.string("BusName", in: group), Self.isBusName(busName) else {
            return .failure(
                Problem(
                    sentence:
                        "The provider manifest \(path) is ignored: it has no valid BusName in its group [Provider]."))
        }
        var rules: MenuRules?
        if let text = file.string("Rules", in: group) {
            rules = MenuRules(manifestText: text)
            guard rules != nil else {
                return .failure(
                    Problem(sentence: "The provider manifest \(path) is ignored: its Rules are not understood."))
            }
        }
        guard let services = Self.services(in: file, group) else {
            return .failure(
                Problem(
                    sentence: tr(
                        """
                        The provider manifest {1} is ignored: its Services are not names of interfaces, or it has no \
                        ObjectPath.
                        """,
                        "\(path)")))
        }
        return .success(
            Manifest(
                id: id, name: file.localized("Name", in: group, locales: locales) ?? id.rawValue,
                summary: file.localized("Description", in: group, locales: locales) ?? "",
                icon: file.localized("Icon", in: group, locales: locales).flatMap { $0.isIconName ? $0 : nil } ?? "",
                busName: busName, rules: rules, services: services,
                beginning: Self.beginning(of: id, busName, file.string("Enabled", in: group))))
    }

    /// What a provider is before the user has said anything: the bundled worker is what Roundel is installed for, and of
    /// any other the user is asked, unless it waits to be turned on where it is wanted.
    private static func beginning(of id: ProviderID, _ busName: String, _ enabled: String?) -> Manifest.Beginning {
        if enabled == "false" { return .off }
        return id.rawValue == Names.workerProviderID && busName == Names.worker ? .on : .asks
    }

    /// The interfaces that a manifest lists, all at its object; nil if a name or the object is not valid, or if there
    /// are too many.
    private static func services(in file: KeyFile, _ group: String) -> [String: String]? {
        let names = file.list("Services", in: group)
        guard !names.isEmpty else { return [:] }
        guard names.count <= Limits.services, names.allSatisfy({ isBusName($0) && !$0.contains("-") }),
            let path = file.string("ObjectPath", in: group), path.utf8.count <= Limits.objectPath,
            (try? ObjectPath(path)) != nil
        else { return nil }
        return Dictionary(names.map { ($0, path) }) { $1 }
    }

    /// Whether a text is a well-known bus name (D-Bus Specification, "Valid Names").
    static func isBusName(_ text: String) -> Bool {
        guard text.utf8.count <= 255, text.utf8.first != UInt8(ascii: ":") else { return false }
        let elements = text.split(separator: ".", omittingEmptySubsequences: false)
        return elements.count >= 2
            && elements.allSatisfy { element in
                guard let first = element.utf8.first, !(48...57).contains(first) else { return false }
                return element.utf8.allSatisfy { byte in
                    (97...122).contains(byte) || (65...90).contains(byte) || (48...57).contains(byte)
                        || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
                }
            }
    }

    private static func entries(of folder: FilePath) -> [String] {
        guard let stream = folder.withPlatformString({ opendir($0) }) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
            }
            if let name { names.append(name) }
        }
        return names
    }
}
