import BadgeEngine
import RoundelBus

/// The state of an item, as the model has it.
struct Value: Equatable, CustomStringConvertible {
    var badge = ""
    var flags: UInt32 = 0
    var progress: UInt8 = 255

    static let none = Value()
    var description: String { "(\(badge) \(flags) \(progress))" }
}

/// A registered folder, as the model has it: plain paths.
struct ModelFolder: Equatable {
    let provider: String
    let spelling: String
    let location: String
}

/// What is true, written down as plainly as can be: dictionaries, and loops over everything.
struct Model {
    /// What each provider says of each item, by the item's location.
    var truth: [String: [String: Value]] = [:]
    var known: [String: [ModelFolder]] = [:]
    /// When each provider registered its folder, as a number; one that is gone keeps it.
    var ranks: [String: Int] = [:]
    /// The two providers, in order, whose folders may nest.
    var allowed: Set<[String]> = []
    var disabled: Set<String> = []
    /// Connections of providers that gave their folders.
    var claimed: [String: String] = [:]
    /// Where directories are that were just looked up, and the links on the way; empty at other times.
    var found: [String: (place: String, links: Set<String>)] = [:]
    /// Client → spelling → the links by which it leads elsewhere than it says.
    var ways: [String: [String: Set<String>]] = [:]
    /// Client → location → spelling → count.
    var counts: [String: [String: [String: Int]]] = [:]
    /// Client → location → names that it was given.
    var given: [String: [String: Set<String>]] = [:]
    var whole: [String: Set<String>] = [:]
    /// The watched directories that are gone, with their locations.
    var absent: [String: String] = [:]
    /// Client → location → name → what it believes.
    var belief: [String: [String: [String: Value]]] = [:]

    /// The folders that are shown: all but those that lie above or below an older one and were not allowed to.
    var folders: [ModelFolder] {
        let all = known.filter { !disabled.contains($0.key) }.values.flatMap { $0 }
        var shown: [ModelFolder] = []
        for folder in all.sorted(by: { ranks[$0.provider] ?? 0 < ranks[$1.provider] ?? 0 }) {
            let isFree = shown.allSatisfy { other in
                allowed.contains([folder.provider, other.provider].sorted())
                    || !Self.isWithin(folder.location, other.location)
                        && !Self.isWithin(other.location, folder.location)
            }
            if isFree { shown.append(folder) }
        }
        return shown
    }

    /// Whether a provider's folder waits for consent and a directory is in it or holds it.
    func waits(_ provider: String, around path: String) -> Bool {
        guard !disabled.contains(provider) else { return false }
        return (known[provider] ?? []).contains { folder in
            !folders.contains(folder)
                && (Self.isWithin(path, folder.spelling) || path == Self.parent(folder.spelling))
        }
    }

    static func isWithin(_ path: String, _ folder: String) -> Bool {
        path == folder || path.hasPrefix(folder + "/")
    }

    static func parent(_ path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    func locate(_ path: String) -> String {
        for folder in folders where folder.spelling != folder.location {
            if Self.isWithin(path, folder.spelling) {
                return folder.location + path.dropFirst(folder.spelling.count)
            }
            if path == Self.parent(folder.spelling) { return Self.parent(folder.location) }
        }
        return path
    }

    /// The location that a client means: a spelling in use goes on to mean the same.
    func locate(_ path: String, for client: String) -> String {
        if let used = counts[client]?.first(where: { $0.value[path] != nil })?.key { return used }
        return locate(found[path]?.place ?? path)
    }

    /// Whether the spelling does not say where the directory is, so that it is looked up.
    func isLookedUp(_ path: String, for client: String) -> Bool {
        if folders.isEmpty || counts[client]?.contains(where: { $0.value[path] != nil }) ?? false { return false }
        let location = locate(path)
        guard isMonitored(location) else { return true }
        guard let owner = owner(location), owner.location != location else { return false }
        return !observedLocations.contains(location)
    }

    /// The clients that observe something by way of a link.
    func clients(through link: String) -> Set<String> { Set(usedLinks.filter { $0.value.contains(link) }.keys) }

    /// Client → the links by which it observes something.
    var usedLinks: [String: Set<String>] {
        counts.mapValues { locations in Set(locations.values.flatMap(\.keys)) }.reduce(into: [:]) { result, client in
            result[client.key] = Set(client.value.flatMap { ways[client.key]?[$0] ?? [] })
        }
    }

    /// The folder that an item belongs to.
    func owner(_ location: String) -> ModelFolder? {
        folders.filter { Self.isWithin(location, $0.location) }.max { $0.location.count < $1.location.count }
    }

    /// Whether a provider may report badges in a directory. One that is switched off may go on; nobody hears it.
    func ownsSomething(_ provider: String, _ path: String) -> Bool {
        guard claimed[provider] != nil else { return false }
        let location = locate(path)
        if disabled.contains(provider) {
            return (known[provider] ?? []).contains {
                Self.isWithin(location, $0.location) || Self.parent($0.location) == location
            }
        }
        return owner(location)?.provider == provider
            || folders.contains { $0.provider == provider && Self.parent($0.location) == location }
    }

    func isMonitored(_ location: String) -> Bool {
        owner(location) != nil || folders.contains { Self.parent($0.location) == location }
    }

    /// What a host should see of an item.
    func expected(_ location: String, _ name: String) -> Value {
        let item = location + "/" + name
        guard let owner = owner(item), claimed[owner.provider] != nil else { return .none }
        return truth[owner.provider]?[item] ?? .none
    }

    func spelled(_ location: String, by folder: ModelFolder) -> String {
        if Self.isWithin(location, folder.location) {
            return folder.spelling + location.dropFirst(folder.location.count)
        }
        return location == Self.parent(folder.location) ? Self.parent(folder.spelling) : location
    }

    var observedLocations: Set<String> { Set(counts.values.flatMap { $0.keys }) }

    /// Which Begins have been sent and not ended: "connection location-as-spelled".
    var expectedBegins: Set<String> {
        var begins: Set<String> = []
        for location in observedLocations.subtracting(absent.values) {
            var concerned = folders.filter { Self.parent($0.location) == location }
            if let owner = owner(location) { concerned.append(owner) }
            for folder in concerned {
                guard let connection = claimed[folder.provider] else { continue }
                begins.insert("\(connection) \(spelled(location, by: folder))")
            }
        }
        return begins
    }

    func observes(_ client: String, _ location: String) -> Bool {
        counts[client]?[location] != nil
    }

    mutating func begin(_ client: String, _ spelling: String) {
        let location = locate(spelling, for: client)
        if counts[client]?[location]?[spelling] == nil {
            let leadsElsewhere = location != locate(spelling)
            ways[client, default: [:]][spelling] = leadsElsewhere ? found[spelling]?.links : nil
        }
        counts[client, default: [:]][location, default: [:]][spelling, default: 0] += 1
    }

    mutating func end(_ client: String, _ spelling: String) {
        let location = locate(spelling, for: client)
        guard var spellings = counts[client]?[location] else { return }
        // With a spelling that was not begun with, the first one in use counts; which is not for the model to say.
        let used = spellings[spelling] != nil ? spelling : spellings.keys.sorted()[0]
        spellings[used]? -= 1
        if spellings[used] == 0 { spellings[used] = nil }
        counts[client]?[location] = spellings
        if spellings.isEmpty { forget(client, location) }
    }

    mutating func forget(_ client: String, _ location: String) {
        counts[client]?[location] = nil
        if counts[client]?.isEmpty ?? false { counts[client] = nil }
        given[client]?[location] = nil
        belief[client]?[location] = nil
        whole[client]?.remove(location)
    }

    mutating func forgetAll(_ client: String) {
        for location in observedLocations {
            forget(client, location)
        }
    }
}
