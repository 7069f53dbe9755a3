internal import BadgeEngine
package import DBus
internal import Glibc
package import RoundelBus
internal import Support
package import SystemPackage

/// The files that announce a provider, for a program that checks it.
package struct AnnouncedProvider: Sendable {
    /// Its id, from the name of the manifest.
    package let id: ProviderID
    /// The bus name of its manifest; nil if the manifest is not understood.
    package let busName: String?
    /// The object that its manifest names; nil for none.
    package let object: ObjectPath?
    /// Why the manifest is not understood; nil if it is.
    package let problem: String?
    /// The command with which the bus starts it; nil without a service file of the bus name.
    package let command: [String]?

    /// The installed provider with this id, whether it is enabled or not; nil if it has no manifest.
    package static func installed(_ id: ProviderID) -> AnnouncedProvider? {
        let file = id.rawValue + Names.manifestSuffix
        let path = ManifestFolders.ofUser.folders.map { $0.appending(file) }
            .first { ListedItem.kind(of: $0) != nil }
        return path.map { AnnouncedProvider(id: id, manifest: $0) }
    }

    /// A manifest that need not be installed; nil if its file is not named like one, or is not there. Its service file
    /// may be beside it.
    package init?(manifest path: FilePath) {
        guard let name = path.lastComponent?.string, name.hasSuffix(Names.manifestSuffix),
            let id = ProviderID(String(name.dropLast(Names.manifestSuffix.utf8.count))),
            ListedItem.kind(of: path) == .file
        else { return nil }
        self.init(id: id, manifest: path)
    }

    private init(id: ProviderID, manifest path: FilePath) {
        self.id = id
        switch ManifestFolders.ofUser.read(path, id: id.rawValue) {
        case .success(let manifest):
            busName = manifest.busName
            object = Self.file(path)?.string("ObjectPath", in: "Provider").flatMap { try? ObjectPath($0) }
            problem = nil
            command = Self.command(of: manifest.busName, beside: path.removingLastComponent())
        case .failure(let failure):
            (busName, object, command) = (nil, nil, nil)
            problem = failure.sentence
        }
    }

    private static let largest = 1 << 20

    private static func file(_ path: FilePath) -> KeyFile? {
        let bytes = (try? SmallFile.read(path, limit: largest)) ?? nil
        return bytes.map { KeyFile(parsing: String(decoding: $0, as: UTF8.self)) }
    }

    private static func command(of name: String, beside folder: FilePath) -> [String]? {
        let directories = BaseDirectories()
        let data = [directories.data].compactMap(\.self) + directories.systemData
        let folders = [folder] + data.map { $0.appending("dbus-1").appending("services") }
        for folder in folders {
            guard let file = file(folder.appending(name + ".service")) else { continue }
            return file.string("Exec", in: "D-BUS Service").flatMap(words)
        }
        return nil
    }

    /// The words of a command line, as the bus splits it: quoted as for a shell, without anything else of one; nil if a
    /// quotation does not end.
    static func words(of line: String) -> [String]? {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for character in line {
            if isEscaped {
                isEscaped = false
                word = (word ?? "") + String(character)
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character == " " || character == "\t" {
                if let whole = word { words.append(whole) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        guard quote == nil, !isEscaped else { return nil }
        return words + [word].compactMap(\.self)
    }
}
