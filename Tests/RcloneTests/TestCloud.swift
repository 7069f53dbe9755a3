import Glibc
import RemoteSupport
import SyncCore
import SyncEngine
import SystemPackage
import TestSupport

@testable import Rclone

/// A remote of a test's own, and another client of it.
final class TestCloud {
    let service: RcloneService
    /// As the other client sees it.
    let client: RcloneClient
    let kind: CloudKind
    private let directory: TemporaryDirectory
    /// What is behind it, where that is a program of its own.
    let server: CloudServer?

    /// Begins with an empty place.
    ///
    /// - Parameters:
    ///   - remote: Its name; a kind may have several.
    ///   - environment: Variables besides those that are needed.
    init(
        _ kind: CloudKind, remote: String = "cloud", limits: RcloneLimits = TestCloud.patient,
        environment: [String: String] = [:]
    ) async throws {
        self.kind = kind
        directory = try TemporaryDirectory()
        try directory.makeDirectory("files/place")
        server = kind.needsServer ? try CloudServer(kind, in: directory) : nil
        try directory.write(
            kind.settings(in: directory.path.string, port: server?.port ?? 0), to: "rclone.conf")
        let variables = [
            "PATH": "/usr/bin:/bin", "HOME": directory.path.string, "RCLONE_CONFIG": directory["rclone.conf"].string,
        ].merging(environment) { $1 }
        service = RcloneService(spoolingIn: directory["state/spool"], environment: variables, limits: limits)
        let location = try RcloneLocation("rclone:\(remote):\(kind.place)")
        client = RcloneClient(location, service, traits: try await Self.traits(kind, location, service))
    }

    /// On a busy machine.
    static var patient: RcloneLimits {
        var limits = RcloneLimits()
        limits.start = .seconds(240)
        limits.idle = .seconds(600)
        // But where a test has two installations begin at once, nobody else gives the root a mark.
        limits.marking = .zero
        return limits
    }

    private static func traits(
        _ kind: CloudKind, _ location: RcloneLocation, _ service: RcloneService
    ) async throws -> RcloneTraits? {
        guard kind == .written else { return nil }
        var traits = try await RcloneClient(location, service).traits()
        traits.movesFiles = false
        return traits
    }

    /// A folder of this computer that is synced with the place.
    func folder(
        owner: String = "test", fill: (TemporaryDirectory) throws -> Void = { _ in }
    ) throws -> RemoteFolder {
        let place = RcloneClient(client.location, service, traits: kind == .written ? try knownTraits() : nil)
        return try RemoteFolder(owner: owner, fill: fill) { owner, _ in RcloneRemote(place, owner: owner) }
    }

    private func knownTraits() throws -> RcloneTraits {
        var traits = RcloneTraits()
        traits.movesFiles = false
        traits.movesDirectories = false
        traits.keepsEmptyDirectories = false
        traits.isBucket = true
        traits.hash = "md5"
        return traits
    }

    /// A remote of which a test calls what the engine would.
    func remote() throws -> RcloneRemote {
        guard let owner = EntryName("test") else { throw Failure("no name") }
        return RcloneRemote(client, owner: owner)
    }

    // MARK: The other client

    func path(_ text: String) throws -> RelativePath {
        RelativePath(
            try text.split(separator: "/").map { part in
                guard let name = EntryName(String(part)) else { throw Failure("\(part) is no name") }
                return name
            })
    }

    func put(_ name: String, _ text: String, modified: Int64? = nil) async throws {
        let file = try service.spool.make(for: 0, of: .root)
        try file.append(text)
        if let modified { file.setModified(modified) }
        try await client.upload(file, to: try path(name))
    }

    func remove(_ name: String) async throws { try await client.removeFile(try path(name)) }

    /// What is there, without what is the engine's: paths, directories with a slash, files with their contents.
    func tree(below place: String = "") async throws -> [String: String] {
        var found: [String: String] = [:]
        let listing: RcloneClient.Found
        do {
            listing = try await client.list(try path(place))
        } catch RcloneFailure(.notFound, status: 404) {
            return found
        }
        for entry in listing.entries where entry.name.description != ".roundel" {
            let name = place.isEmpty ? "\(entry.name)" : "\(place)/\(entry.name)"
            if entry.kind == .directory {
                found[name + "/"] = ""
                found.merge(try await tree(below: name)) { $1 }
            } else {
                let file = try service.spool.make(for: entry.version.size, of: .root)
                try await client.fetch(try path(name), into: file)
                var bytes = [UInt8](repeating: 0, count: Int(file.size))
                let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
                found[name] = String(decoding: bytes[..<count], as: UTF8.self)
            }
        }
        return found
    }

    /// What lies where uploads wait for their names.
    func staged() async throws -> [String] {
        do {
            return try await client.list(try path(".roundel/test/staging")).names
        } catch RcloneFailure(.notFound, status: 404) {
            return []
        }
    }

    /// What lies where files wait between this computer and rclone.
    var spooled: [String] {
        guard let entries = opendir(service.spool.directory.string) else { return [] }
        defer { closedir(entries) }
        var names: [String] = []
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }
}

extension RcloneFailure {
    /// Matches one in a catch clause.
    static func ~= (pattern: RcloneFailure, value: any Error) -> Bool { value as? RcloneFailure == pattern }
}

/// What a person has in a folder: paths, directories with a slash, files with their contents.
func contents(of place: FilePath, below prefix: String = "") throws -> [String: String] {
    var found: [String: String] = [:]
    guard let directory = opendir(place.string) else { throw Failure("cannot list \(place)") }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if [".", "..", ".roundel"].contains(name) { continue }
        if entry.pointee.d_type == UInt8(DT_DIR) {
            found[prefix + name + "/"] = ""
            found.merge(try contents(of: place.appending(name), below: prefix + name + "/")) { $1 }
        } else {
            guard let file = fopen(place.appending(name).string, "re") else { throw Failure("cannot read \(name)") }
            defer { fclose(file) }
            var bytes: [UInt8] = []
            var part = [UInt8](repeating: 0, count: 65_536)
            while case let count = fread(&part, 1, part.count, file), count > 0 { bytes += part[..<count] }
            found[prefix + name] = String(decoding: bytes, as: UTF8.self)
        }
    }
    return found
}
