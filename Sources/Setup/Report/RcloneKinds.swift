/// The kinds of rclone's remotes by their names, as `rclone listremotes` tells them; it prints no secrets.
package enum RcloneKinds {
    /// Those of this user; empty without rclone.
    package static func ofThisUser() -> [String: String] {
        guard let said = ChildProgram.output(["rclone", "listremotes", "--long"]), said.status == 0 else { return [:] }
        return read(said.text)
    }

    static func read(_ text: String) -> [String: String] {
        var kinds: [String: String] = [:]
        for line in text.split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let kind = line[line.index(after: colon)...].split(separator: " ").first
            kinds[String(line[..<colon])] = kind.map(String.init)
        }
        return kinds
    }
}
