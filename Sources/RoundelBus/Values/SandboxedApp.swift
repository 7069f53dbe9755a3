internal import Support

/// An app that runs in a sandbox, as the program that installed it names it.
package struct SandboxedApp: Hashable, Sendable {
    /// Who installed it, and confines it.
    package enum Kind: String, CaseIterable, Sendable {
        case flatpak
        case snap
    }

    /// Who installed it.
    package let kind: Kind
    /// Its id at Flatpak, such as `org.example.Cloud`, or its name at Snap.
    package let id: String

    /// Nil for what cannot be the id of an app.
    package init?(_ kind: Kind, _ id: some StringProtocol) {
        guard Self.isID(id, of: kind) else { return nil }
        (self.kind, self.id) = (kind, String(id))
    }

    /// Parses ``text``.
    package init?(text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])) else { return nil }
        self.init(kind, parts[1])
    }

    /// The app as one word, such as `flatpak:org.example.Cloud`.
    package var text: String { "\(kind.rawValue):\(id)" }

    private static func isID(_ text: some StringProtocol, of kind: Kind) -> Bool {
        guard (1...255).contains(text.utf8.count) else { return false }
        let isAllowed: (UInt8) -> Bool = { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
                || byte == UInt8(ascii: "_")
        }
        switch kind {
        case .snap: return text.utf8.allSatisfy(isAllowed)
        case .flatpak:
            let elements = text.split(separator: ".", omittingEmptySubsequences: false)
            return elements.count >= 2
                && elements.allSatisfy { element in
                    guard let first = element.utf8.first, !(0x30...0x39).contains(first) else { return false }
                    return element.utf8.allSatisfy { isAllowed($0) || (0x41...0x5A).contains($0) }
                }
        }
    }

    // MARK: What confines a program says of it

    /// The app of a `.flatpak-info`, which Flatpak puts into each sandbox, where nothing in it can change that.
    package static func flatpak(info: String) -> SandboxedApp? {
        var group: Substring = ""
        for line in info.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("[") { group = line }
            if group == "[Application]", line.hasPrefix("name=") {
                return SandboxedApp(.flatpak, line.dropFirst("name=".count))
            }
        }
        return nil
    }

    /// The app of a security label, such as `snap.cloud.sync (enforce)`.
    package static func snap(label: String) -> SandboxedApp? {
        let parts = label.prefix { $0 != " " && !$0.isNewline }.split(
            separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[0] == "snap" else { return nil }
        return SandboxedApp(.snap, parts[1])
    }

    /// The app of the control groups of a process, one of which is `…/snap.cloud.sync-UUID.scope`.
    package static func snap(groups: String) -> SandboxedApp? {
        for line in groups.split(whereSeparator: \.isNewline) {
            for name in line.split(separator: "/") where name.hasPrefix("snap.") && name.hasSuffix(".scope") {
                return snap(label: String(name.dropLast(".scope".count)))
            }
        }
        return nil
    }
}

/// A program in a sandbox: its app, and what people know that by.
package struct SandboxedProgram: Hashable, Sendable {
    /// The app.
    package let app: SandboxedApp
    /// The name of the app, as it was installed with; its id where there is none.
    package let name: String
    /// The name of its icon; empty if there is none.
    package let icon: String

    package init(app: SandboxedApp, name: String = "", icon: String = "") {
        (self.app, self.name, self.icon) = (app, name.isEmpty ? app.id : name, icon)
    }
}
