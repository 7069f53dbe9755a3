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
        (try? ItemURI(uri))?.displayPath(below: folder) ?? uri
    }
}
