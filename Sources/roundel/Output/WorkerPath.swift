import RoundelBus
import Support
import SystemPackage

/// Converts URIs from the bus to paths in texts.
enum WorkerPath {
    /// The path of a URI for a sentence; the text itself if it is not a URI.
    static func sentence(_ uri: String) -> String { (try? ItemURI(uri))?.sentencePath ?? uri }

    /// The path of a URI as a word of a shell command.
    static func shellWord(_ uri: String) -> String {
        (try? ItemURI(uri)).map { ShellWord.quoted(bytes: $0.filePath.bytes) } ?? ShellWord.quoted(uri)
    }

    /// The path relative to a folder if the item is in it.
    static func display(_ uri: String, below folder: ItemURI) -> String {
        guard let item = try? ItemURI(uri) else { return uri }
        guard item.isBelow(folder) else { return item.displayPath }
        let prefix = folder.filePath.bytes
        return DisplayText.decoding(item.filePath.bytes.dropFirst(folder.isRoot ? 1 : prefix.count + 1))
    }
}

extension ItemURI {
    /// The path for a sentence; a path in the user's home directory begins with `~`.
    var sentencePath: String {
        guard let home = ProcessEnvironment.bytes("HOME"), home.first == UInt8(ascii: "/"),
            let folder = try? ItemURI(path: FilePath(bytes: home)), !folder.isRoot
        else { return displayPath }
        return self == folder ? "~" : isBelow(folder) ? "~/" + WorkerPath.display(uri, below: folder) : displayPath
    }
}
