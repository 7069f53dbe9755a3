import CLinux
import Glibc
import Secrets
import Support

/// Reads login data that the user types, or a program writes. It is read from the standard input, never from arguments
/// or variables, which other programs can read.
enum PasswordInput {
    /// Whether the user can be asked.
    static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    static var noPassword: String { tr("No password was given; nothing is saved.") }

    /// Asks for a password on the terminal, without showing it; nil if it is empty.
    ///
    /// - Parameter prompt: The text shown to the user.
    /// - Throws: ``CommandFailure`` for a password that cannot be used.
    static func password(prompt: String) throws -> SecretBytes? {
        try read { clinux_read_hidden_line(STDIN_FILENO, prompt, $0.baseAddress, $0.count) }
    }

    /// Reads one line with a password that a program writes; nil if it is empty.
    ///
    /// - Throws: ``CommandFailure`` for a password that cannot be used.
    static func line() throws -> SecretBytes? { try read(readLine(into:)) }

    private static func read(_ fill: (UnsafeMutableRawBufferPointer) -> Int) throws -> SecretBytes? {
        // Includes room for the line end.
        let password = try SecretBytes(capacity: StoredLogin.longestPassword + 1) { room in
            let count = fill(room)
            guard count >= 0 else {
                let code = errno
                throw CommandFailure(
                    code == EMSGSIZE
                        ? tr(
                            "The password has more than {1} bytes; nothing is saved.", "\(StoredLogin.longestPassword)")
                        : tr("The password cannot be read: {1}.", SystemError.description(of: code)))
            }
            return count
        }
        return password.count > 0 ? password : nil
    }

    /// Asks for a user name on the terminal.
    ///
    /// - Throws: ``CommandFailure`` for an invalid name.
    static func user(prompt: String) throws -> String {
        Console.ask(prompt)
        let name = Swift.readLine() ?? ""
        guard RemoteAccount.isUser(name) else {
            throw CommandFailure(
                tr("This cannot be the name of a user: it is empty, too long, or has a colon or a control character."))
        }
        return name
    }

    /// Reads one line into memory that is wiped later; returns its length without the line end, or -1.
    private static func readLine(into room: UnsafeMutableRawBufferPointer) -> Int {
        var length = 0
        while length < room.count {
            let count = Glibc.read(STDIN_FILENO, room.baseAddress.map { $0 + length }, room.count - length)
            if count < 0, errno == EINTR { continue }
            if count < 0 { return -1 }
            if let end = room[length..<length + count].firstIndex(of: UInt8(ascii: "\n")) { return end }
            if count == 0 { return length }
            length += count
        }
        errno = EMSGSIZE
        return -1
    }
}
