import DBus
import RoundelBus
import TestSupport

extension Installation {
    /// Runs a program that sees another root directory, as one in a sandbox does: a small file system in which the
    /// directories of this one are shown.
    /// - Parameter app: The id of the app that Flatpak has put into the sandbox; nil for a sandbox of nobody.
    func runInSandbox(_ arguments: [String], app: String? = nil) throws -> RunningProgram.Outcome {
        let script = """
            set -e
            mount -t tmpfs none "$0"
            for name in usr etc proc dev tmp; do
                mkdir "$0/$name"
                mount --rbind "/$name" "$0/$name"
            done
            for name in bin lib lib64 sbin; do
                [ ! -L "/$name" ] || cp -P "/$name" "$0"
            done
            [ -z "$1" ] || printf '[Application]\nname=%s\n' "$1" > "$0/.flatpak-info"
            shift
            exec chroot "$0" "$@"
            """
        let root = self.root + "/sandbox"
        if !Disk.exists(root) { try Disk.makeDirectory(root) }
        return try run(
            bytes: "/usr/bin/unshare",
            (["-m", "--propagation", "slave", "sh", "-c", script, root, app ?? ""] + arguments).map { Array($0.utf8) })
    }

    /// Calls members of a connection from a program in a sandbox; gives what it printed for each: the reply, or the error.
    func callInSandbox(
        _ members: [ExportedMember], of name: String, texts: [String: String]
    ) throws -> [String] {
        let values = ExtremeValues(texts: texts)
        let calls = members.map { member in
            let arguments = member.input.flatMap { values.value($0, 3).busctlWords }
            let signature = member.input.map(\.type.rawValue).joined()
            var words =
                ["busctl", "--user", "call", name, member.path.rawValue, member.interface, member.name]
                + (signature.isEmpty ? [] : [signature]) + arguments
            // busctl sends no descriptors; gdbus sends its standard input.
            if signature.contains("h") {
                let method = "\(member.interface).\(member.name)"
                words =
                    ["gdbus", "call", "--session", "--dest", name, "--object-path", member.path.rawValue]
                    + ["--method", method] + arguments.dropLast() + ["{}"]
            }
            return words.map { "'\($0)'" }.joined(separator: " ") + " 2>&1; echo =END="
        }
        let outcome = try runInSandbox(["/bin/sh", "-c", calls.joined(separator: "\n")])
        var answers = outcome.output.split(separator: "=END=\n", omittingEmptySubsequences: false).map(String.init)
        answers.removeLast()
        guard answers.count == members.count else { throw Failure("\(outcome)") }
        return answers
    }
}

extension ExportedMember {
    /// Every method of a connection's objects but those of the specification's interfaces.
    static func own(of destination: String, in world: World, asking bus: Connection) throws -> [ExportedMember] {
        let standard = ["Introspectable", "Properties", "Peer"].map { "org.freedesktop.DBus.\($0)" }
        return try all(of: destination, in: world, asking: bus).filter { !standard.contains($0.interface) }
    }
}

extension DBusValue {
    /// The value in the words of busctl(1), as far as the interfaces have such types.
    fileprivate var busctlWords: [String] {
        switch self {
        case .byte(let number): ["\(number)"]
        case .bool(let value): ["\(value)"]
        case .int16(let number): ["\(number)"]
        case .uint16(let number): ["\(number)"]
        case .int32(let number): ["\(number)"]
        case .uint32(let number): ["\(number)"]
        case .int64(let number): ["\(number)"]
        case .uint64(let number): ["\(number)"]
        case .double(let number): ["\(number)"]
        case .string(let text): [text]
        case .objectPath(let path): [path.rawValue]
        case .signature(let signature): [signature.rawValue]
        case .variant: ["i", "1"]
        case .structure(let members): members.flatMap(\.busctlWords)
        // An empty one is a value of any such type.
        case .array, .dictionary, .fileDescriptor: ["0"]
        }
    }
}
