internal import CPeers
internal import Glibc

/// A part that the harness plays in a process of its own.
enum Role: String {
    case echo, provider, inotify, panel, line, within, probe

    func command(_ argument: String) -> [String] { ["/proc/self/exe", "--play", rawValue, argument] }

    /// Plays the part that the arguments name; nil if they name none.
    static func play(_ arguments: [String]) -> Int32? {
        guard arguments.count >= 4, arguments[1] == "--play", let role = Role(rawValue: arguments[2]) else {
            return nil
        }
        switch role {
        case .echo: return peers_serve_echo(arguments[3]) < 0 ? 1 : 0
        case .panel: return peers_serve_panel(arguments[3]) < 0 ? 1 : 0
        case .inotify: return peers_read_inotify(arguments[3]) < 0 ? 1 : 0
        case .line: return Line.serve(arguments[3])
        case .within: return Line.run(Array(arguments[4...]), at: arguments[3])
        case .probe: return Line.probe(from: arguments[3])
        case .provider:
            do {
                try SampleProvider.run(folders: Array(arguments[4...]), watches: arguments[3] == "watch")
                return 0
            } catch {
                report("The sample provider ended: \(error)")
                return 1
            }
        }
    }
}
