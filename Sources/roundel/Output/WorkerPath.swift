import Client
import RoundelBus
import Support
import SystemPackage

/// Converts URIs from the bus to paths in texts.
enum WorkerPath {
    /// The path of a URI for a sentence; the text itself if it is not a URI.
    static func sentence(_ uri: String) -> String { (try? ItemURI(uri))?.sentencePath ?? uri }

    /// What a folder syncs with, for a sentence.
    static func remote(_ address: String) -> String {
        switch RemotePlace(address) {
        case .directory(let directory): directory.sentencePath
        case .service(let service, let path):
            // Translators: {1} is a path on a server, {2} is the server.
            path.isEmpty ? service : tr("{1} on {2}", path, service)
        case .other(let address): address
        }
    }

    /// What a folder syncs with, for the user on a terminal; elsewhere as it is, for programs.
    static func shownRemote(_ address: String, on terminal: Terminal) -> String {
        terminal.isInteractive ? remote(address) : shown(address, on: terminal)
    }

    /// The path of a URI as a word of a shell command.
    static func shellWord(_ uri: String) -> String {
        (try? ItemURI(uri))?.shellWord ?? ShellWord.quoted(uri)
    }

    /// The path of a URI for the user on a terminal; elsewhere as it is, for programs.
    static func shown(_ uri: String, on terminal: Terminal) -> String {
        terminal.isInteractive ? sentence(uri) : ItemURI.displayPath(of: uri)
    }

    /// The path relative to a folder if the item is in it.
    static func display(_ uri: String, below folder: ItemURI) -> String {
        (try? ItemURI(uri))?.displayPath(below: folder) ?? uri
    }
}

extension ItemURI {
    /// The path as a word of a shell command, in which `~` stands for the user's home directory.
    var shellWord: String {
        guard let path = BaseDirectories().home, let home = try? ItemURI(path: path), !home.isRoot, isWithin(home)
        else {
            return ShellWord.quoted(bytes: filePath.bytes)
        }
        if self == home { return "~" }
        return "~/" + ShellWord.quoted(bytes: filePath.bytes.dropFirst(path.bytes.count + 1))
    }
}
