import DBus
import RoundelBus
import SystemPackage
import TestSupport

@testable import SyncService

/// The real worker on a bus of its own, without a badge service, with directories of its own.
final class WorkerBench {
    let harness: Harness
    let files: TemporaryDirectory
    let service: Worker
    let caller: Connection
    private let workerBus: Connection
    private var hasStopped = false

    /// - Parameters:
    ///   - settings: the text of the settings file; nil for none.
    ///   - prefix: of the worker's own directories among the files.
    init(settings: String? = nil, files: TemporaryDirectory? = nil, below prefix: String = "") throws {
        harness = try Harness()
        self.files = try files ?? TemporaryDirectory()
        if let settings { try self.files.write(settings, to: Self.settingsFile) }
        caller = try harness.connect()
        workerBus = try harness.connect()
        service = try Worker(
            loop: harness.loop, bus: workerBus, places: Self.places(self.files, below: prefix),
            logins: SavedLogins(on: harness.bus.address), proxies: nil)
        try service.start(offering: WorkerInterfaces.make(for: service))
    }

    static let settingsFile = "config/roundel/folders.json"

    static func places(_ files: TemporaryDirectory, below prefix: String = "") -> WorkerPlaces {
        WorkerPlaces(environment: [
            "HOME": files[prefix + "home"].string, "XDG_CONFIG_HOME": files[prefix + "config"].string,
            "XDG_STATE_HOME": files[prefix + "state"].string, "XDG_DATA_HOME": files["data"].string,
        ])
    }

    /// Ends what the worker does; to be called at the end of each test.
    func stop() throws {
        service.stop { [unowned self] in hasStopped = true }
        guard harness.run(until: { hasStopped }) else { throw DBusError.failed("the worker did not stop") }
    }

    /// The interface of an engine that has this method.
    private static func interface(of method: String) -> String {
        let found: EngineInterface =
            switch method {
            case "Conflicts", "Resolve": .conflicts
            case "ListTrash", "RestoreTrash", "RestoreTrashSince", "DeleteTrash": .trash
            case "NetworkUse", "SetNetworkUse": .network
            case "BeginLogin", "AwaitLogin", "SaveLogin", "CheckLogin", "EndLogin": .accounts
            case "Verify": .verification
            case "Find", "ListDirectories", "Preview", "SetCertificates": .remotes
            case "Fetch", "Free", "Pin", "Unpin", "SetOnDemand", "SetRule", "Rule", "Clear": .contents
            case _: .folders
            }
        return found.name
    }

    /// Calls the worker; gives the reply.
    @discardableResult
    func call(_ method: String, _ arguments: DBusValue..., options: VariantMap = [:]) throws -> [DBusValue] {
        try harness.call(
            caller, workerBus.uniqueName, Names.workerPath, WorkerBench.interface(of: method), method
        ) { writer in
            for argument in arguments { try writer.append(value: argument) }
            try writer.append(map: options)
        }.arguments()
    }

    /// The error of a call, without the prefix of Roundel's errors; nil if it was accepted.
    func refusal(_ method: String, _ arguments: DBusValue..., options: VariantMap = [:]) -> String? {
        do {
            _ = try harness.call(
                caller, workerBus.uniqueName, Names.workerPath, WorkerBench.interface(of: method), method
            ) { writer in
                for argument in arguments { try writer.append(value: argument) }
                try writer.append(map: options)
            }
            return nil
        } catch let error as DBusError {
            guard !error.message.isEmpty else { return "\(error.name) without a sentence" }
            return error.name.hasPrefix(Names.errorPrefix) ? String(error.name.dropFirst(18)) : error.name
        } catch {
            return "\(error)"
        }
    }

    /// Sends calls of one method before the worker does anything for the first; gives what came of each, as
    /// ``refusal(_:_:options:)`` does.
    func refusalsAtOnce(_ method: String, _ calls: [[DBusValue]]) throws -> [String?] {
        try refusalsAtOnce(calls.map { (method, $0) })
    }

    /// The same for calls of several methods.
    func refusalsAtOnce(_ calls: [(method: String, arguments: [DBusValue])]) throws -> [String?] {
        var outcomes: [Int: String?] = [:]
        for (index, call) in calls.enumerated() {
            caller.call(
                workerBus.uniqueName, Names.workerPath, WorkerBench.interface(of: call.method), call.method,
                { writer in
                    for argument in call.arguments { try writer.append(value: argument) }
                    try writer.append(map: [:])
                },
                { result in
                    if case .failure(let error) = result {
                        outcomes[index] = .some(String(error.name.dropFirst(Names.errorPrefix.count)))
                    } else {
                        outcomes[index] = .some(nil)
                    }
                })
        }
        guard harness.run(until: { outcomes.count == calls.count }) else { throw DBusError.failed("no answers") }
        return calls.indices.map { outcomes[$0] ?? nil }
    }

    /// Sends calls before the worker does anything for the first; gives the error of each, without the prefix of Roundel's
    /// errors, or "".
    func outcomesAtOnce(
        _ calls: [(method: String, arguments: [DBusValue], options: VariantMap)]
    ) throws -> [String?] {
        var outcomes: [Int: String] = [:]
        for (index, call) in calls.enumerated() {
            send(call.method, call.arguments, call.options) { outcomes[index] = $0 }
        }
        _ = harness.run(until: { outcomes.count == calls.count })
        return calls.indices.map { outcomes[$0] }
    }

    /// Sends a call, whose error goes to `onEnd`, "" for none.
    func send(
        _ method: String, _ arguments: [DBusValue], _ options: VariantMap, _ onEnd: @escaping (String) -> Void
    ) {
        caller.call(
            workerBus.uniqueName, Names.workerPath, WorkerBench.interface(of: method), method, timeout: nil,
            { writer in
                for argument in arguments { try writer.append(value: argument) }
                try writer.append(map: options)
            },
            { result in
                guard case .failure(let error) = result else { return onEnd("") }
                let isOurs = error.name.hasPrefix(Names.errorPrefix)
                onEnd(isOurs ? String(error.name.dropFirst(Names.errorPrefix.count)) : error.name)
            })
    }

    /// Waits until everything that was sent has arrived.
    func settle() throws { _ = try call("ListFolders") }

    /// A directory of the test as the argument of a call.
    func uri(_ name: String) -> DBusValue { .string("file://" + files[name].string) }
    func path(_ name: String) -> DBusValue { .string(files[name].string) }

    /// Adds the folder `Cloud` with the remote `Remote`; gives its id.
    func addFolder() throws -> String {
        try files.makeDirectory("Cloud")
        try files.makeDirectory("Remote")
        return try call("AddFolder", uri("Cloud"), path("Remote")).first?.string ?? ""
    }

    func listed() throws -> [String] {
        try call("ListFolders").first?.maps?.compactMap { $0.string("uri") } ?? []
    }
}
