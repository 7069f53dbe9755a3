/// The settings of a repository that would start programs, and what is said instead.
///
/// A repository may come from anybody, in an archive or on a disk, and git starts what its own settings name. Programs
/// that the person's own settings name, such as those of Git LFS, still run, unless the repository has settings that lead
/// these to programs of its own.
package struct ForeignSettings: Sendable {
    /// A setting that outranks all others, of any bytes.
    package struct Override: Equatable, Sendable {
        package let name: [UInt8]
        package let value: [UInt8]

        package init(_ name: String, _ value: String) {
            (self.name, self.value) = (Array(name.utf8), Array(value.utf8))
        }

        fileprivate init(bytes name: [UInt8], _ value: [UInt8]) { (self.name, self.value) = (name, value) }
    }

    /// What is said instead of the repository's own filters and hooks.
    package let overrides: [Override]
    /// Whether the repository has filters of its own, or leads those of the person. Without them what it stages and
    /// checks out would be wrong.
    package let hasOwnFilters: Bool

    /// What is said of every repository.
    package static let always = [
        Override("core.fsmonitor", "false"), Override("core.hooksPath", "/dev/null"),
        Override("core.sshCommand", "false"), Override("protocol.allow", "never"),
        Override("safe.bareRepository", "explicit"), Override("submodule.recurse", "false"), Override("gc.auto", "0"),
        Override("maintenance.auto", "false"),
    ]

    /// - Parameter list: What `git config --list --show-scope -z` printed in the repository.
    package init(_ list: some Sequence<UInt8>) {
        let words = list.split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
        var own: [[UInt8]: [UInt8]] = [:]
        var persons: [[UInt8]: [UInt8]] = [:]
        var isLed = false
        var hooks: Set<[UInt8]> = []
        for index in stride(from: 0, to: words.count - 1, by: 2) {
            let parts = words[index + 1].split(
                separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts.first.map({ Array($0) }) else { continue }
            let value = parts.count == 2 ? Array(parts[1]) : Array("true".utf8)
            switch String(decoding: words[index], as: UTF8.self) {
            case "system", "global": if Self.isFilter(name) { persons[name] = value }
            case "command": break
            default:
                if Self.isFilter(name) { own[name] = value }
                if Self.leadsFilters(name) { isLed = true }
                if let hook = Self.hook(name) { hooks.insert(hook) }
            }
        }
        let foreign = own.filter { persons[$0.key] != $0.value }
        let names = isLed ? Set(foreign.keys).union(persons.keys) : Set(foreign.keys)
        let kept = isLed ? [:] : persons
        let filters = names.sorted { $0.lexicographicallyPrecedes($1) }.map { name in
            Override(bytes: name, kept[name] ?? (name.ends(with: Self.required) ? Array("false".utf8) : []))
        }
        overrides =
            filters
            + hooks.sorted { $0.lexicographicallyPrecedes($1) }.map { hook in
                Override(bytes: hook + Array(".enabled".utf8), Array("false".utf8))
            }
        hasOwnFilters = isLed || foreign.keys.contains { !$0.ends(with: Self.required) }
    }

    private static let required = ".required"

    private static func isFilter(_ name: [UInt8]) -> Bool {
        name.starts(with: Array("filter.".utf8))
            && [".clean", ".smudge", ".process", required].contains(where: name.ends)
    }

    /// The `hook.NAME` of a setting that is part of a hook, which git has in settings since 2.54; nil of another one.
    private static func hook(_ name: [UInt8]) -> [UInt8]? {
        guard name.starts(with: Array("hook.".utf8)) else { return nil }
        for part in [".command", ".event", ".enabled"] where name.ends(with: part) {
            let hook = name.dropLast(part.utf8.count)
            return hook.count > "hook.".utf8.count ? Array(hook) : nil
        }
        return nil
    }

    /// Whether a setting names a program that Git LFS would start, which reads the settings of the repository itself,
    /// and without regard to case.
    private static func leadsFilters(_ name: [UInt8]) -> Bool {
        let name = name.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
        if name.starts(with: Array("credential.".utf8)) { return name.ends(with: "helper") }
        guard name.starts(with: Array("lfs.".utf8)) else { return false }
        return ["lfs.extension.", "lfs.customtransfer."].contains { name.starts(with: Array($0.utf8)) }
            || name.ends(with: "standalonetransferagent")
    }
}

extension [UInt8] {
    fileprivate func ends(with text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
