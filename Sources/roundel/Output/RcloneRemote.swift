import RoundelBus
import Support

/// What only rclone reaches, as far as the address tells: one of its remotes, or a computer that one may lead to.
struct RcloneRemote: Equatable {
    /// What the address names.
    private enum Target: Equatable {
        case remote(name: String, place: String)
        case computer(host: String, user: String?)
        /// An address of a sort that Roundel does not reach itself.
        case other
    }

    private let target: Target

    /// Nil for an address that rclone is not needed for.
    init?(_ address: String) {
        guard let colon = address.firstIndex(of: ":") else { return nil }
        let (before, after) = (address[..<colon], address[address.index(after: colon)...])
        let scheme = before.lowercased()
        if after.hasPrefix("//") {
            if ["https", "http", "file", "davs", "dav", "webdavs", "webdav"].contains(scheme) { return nil }
            if scheme.hasPrefix("webdav+") { return nil }
            let authority = after.dropFirst(2).prefix { $0 != "/" }
            target = ["sftp", "ssh"].contains(scheme) ? Self.computer(authority) : .other
        } else if scheme == "rclone" {
            guard let end = after.firstIndex(of: ":") else { return nil }
            target = .remote(name: String(after[..<end]), place: String(after))
        } else if before.contains("/") || UInt16(after.prefix { !"/?#".contains($0) }) != nil {
            return nil
        } else {
            target = Self.computer(before)
        }
    }

    private static func computer(_ text: Substring) -> Target {
        guard let sign = text.lastIndex(of: "@") else { return .computer(host: String(text), user: nil) }
        return .computer(host: String(text[text.index(after: sign)...]), user: String(text[..<sign]))
    }

    /// The command of rclone's that helps after an error; nil if none does.
    func advice(after code: RoundelError.Code) -> String? {
        switch (target, code) {
        case (.remote(let name, _), .loginNeeded): Self.login(to: name)
        case (.remote(_, let place), .failed): tr("To see what is wrong: {1}", "rclone lsd " + ShellWord.quoted(place))
        case (.remote, .invalidRemote), (.other, .invalidRemote): tr("To make a remote: {1}", "rclone config")
        case (.computer(let host, let user), .invalidRemote):
            tr(
                "To make a remote: {1}",
                "rclone config create \(Self.name(for: host)) sftp \(Self.setting("host", host)) "
                    + Self.setting("user", user ?? "USER"))
        case (_, _): nil
        }
    }

    /// How to log in again at the remote; nil for what is none.
    var login: String? {
        guard case .remote(let name, _) = target else { return nil }
        return Self.login(to: name)
    }

    private static func login(to name: String) -> String {
        tr("Log in: {1}", "rclone config reconnect " + ShellWord.quoted(name + ":"))
    }

    /// A setting as a word of a command. What begins with a dash is quoted with its name: by itself it would be taken for a
    /// file, so that it is not mistaken for an option.
    private static func setting(_ name: String, _ value: String) -> String {
        value.hasPrefix("-") ? ShellWord.quoted("\(name)=\(value)") : "\(name)=" + ShellWord.quoted(value)
    }

    /// A name for a remote that leads to a computer.
    private static func name(for host: String) -> String {
        let name = host.prefix { $0 != "." }.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return name.isEmpty ? "NAME" : String(name)
    }
}
