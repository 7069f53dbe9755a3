internal import RoundelBus
internal import Support

/// Prepares text of services for people who use no terminal.
enum PlainText {
    /// A text without the commands that it recommends: the window has buttons for them. Commands are the same in every
    /// language, so that what names one is found in a translation too.
    static func withoutCommands(_ text: String) -> String {
        guard let command = text.firstRange(of: "roundel ") ?? text.firstRange(of: "systemctl ") else {
            return DisplayText.escaped(text)
        }
        let head = text[..<command.lowerBound]
        // The sentence that names the command goes with it.
        let end = head.lastIndex { ".!?。".contains($0) }
        return end.map { DisplayText.escaped(String(head[...$0])) } ?? ""
    }
}
