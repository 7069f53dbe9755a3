package import DBus
import Glibc
import RoundelBus
import Synchronization
package import TestSupport

/// A sync worker that answers as a test says and writes down what it was asked.
package final class StandInWorker: Sendable {
    /// What a member answers: the values before the last dictionary, an error, or nothing at all.
    package enum Answer: Sendable {
        case values([DBusValue], more: VariantMap = [:])
        case error(String, String)
        case silence
        /// The first answer to the first call, and so on; the last to all further ones.
        case inTurn([Answer])
    }

    /// Its connection, which a test may close.
    package let connection: AsyncConnection
    private let answers: Mutex<[String: Answer]>
    private let log = Mutex<[[DBusValue]]>([])

    /// A worker that answers these members so, and all others with nothing but the last dictionary.
    package init(on bus: PrivateBus, _ answers: [String: Answer]) async throws {
        self.answers = Mutex(answers)
        connection = try await bus.connect()
        let worker = self
        try await connection.perform { connection in
            for interface in EngineInterface.allCases {
                let methods = StandInWorker.members(of: interface).map { worker.method($0.0, in: $0.1, out: $0.2) }
                _ = try connection.export(Interface(interface.name, methods: methods), at: Names.workerPath)
            }
        }
        try await connection.own(Names.worker)
    }

    /// Calls of a member are answered like this from now on.
    package func answer(_ member: String, _ answer: Answer) { answers.withLock { $0[member] = answer } }

    /// The calls so far, each its member and its arguments. In place of a pipe stands what was in it.
    package var calls: [[DBusValue]] { log.withLock { $0 } }

    /// The passwords that it was to save, each with the address.
    package var saved: [[DBusValue]] { calls.filter { $0[0] == .string("SaveLogin") }.map { Array($0[1...2]) } }

    /// Emits a signal of the worker to everyone.
    package func emit(_ member: String, _ arguments: [DBusValue]) async throws {
        try await connection.perform { connection in
            try connection.emit(Names.workerPath, StandInWorker.interface(emitting: member).name, member) { writer in
                for argument in arguments { try writer.append(value: argument) }
                try writer.append(map: [:])
            }
        }
    }

    /// What to answer to the next call of a member.
    private func next(_ member: String) -> Answer {
        answers.withLock { answers in
            guard case .inTurn(let turns)? = answers[member], let first = turns.first else {
                return answers[member] ?? .values([])
            }
            if turns.count > 1 { answers[member] = .inTurn(Array(turns.dropFirst())) }
            return first
        }
    }

    /// The members of each interface, with what they take and give.
    private static func members(of interface: EngineInterface) -> [(String, String, String)] {
        switch interface {
        case .folders:
            [
                ("AddFolder", "ss", "s"), ("RemoveFolder", "s", ""), ("RelocateFolder", "ss", ""),
                ("ListFolders", "", "aa{sv}"), ("Status", "s", "aa{sv}"), ("Sync", "s", "a{sv}"), ("Pause", "s", ""),
                ("Resume", "s", ""), ("ListExcludes", "s", "as"), ("AddExcludes", "sas", ""),
                ("RemoveExcludes", "sas", ""), ("Activity", "u", "aa{sv}"), ("Problems", "s", "aa{sv}"),
                ("Address", "s", "s"), ("Space", "s", "a{sv}"), ("ListExcluded", "s", "aa{sv}"),
                ("TryExcludes", "ss", "a{sv}"),
            ]
        case .conflicts: [("Conflicts", "s", "aa{sv}"), ("Resolve", "ss", "")]
        case .trash:
            [
                ("ListTrash", "s", "aa{sv}"), ("RestoreTrash", "s", "s"), ("RestoreTrashSince", "sx", "a{sv}"),
                ("DeleteTrash", "s", "a{sv}"), ("ListServerVersions", "s", "aa{sv}"),
                ("RestoreServerVersion", "ss", "s"),
            ]
        case .network: [("NetworkUse", "s", "aa{sv}"), ("SetNetworkUse", "sa{sv}", "")]
        case .accounts:
            [
                ("BeginLogin", "s", "ss"), ("AwaitLogin", "s", "s"), ("SaveLogin", "sh", ""), ("CheckLogin", "s", ""),
                ("EndLogin", "s", ""),
            ]
        case .verification: [("Verify", "s", "a{sv}")]
        case .remotes:
            [
                ("Find", "s", "a{sv}"), ("ListDirectories", "ss", "aa{sv}"), ("Preview", "ss", "a{sv}"),
                ("SetCertificates", "s", "s"),
            ]
        case .shares:
            [
                ("ShareRules", "s", "a{sv}"), ("ListShares", "s", "aa{sv}"), ("FindRecipients", "ss", "aa{sv}"),
                ("AddShare", "ss", "a{sv}"), ("EndShare", "ss", ""), ("ChangeShare", "ss", "a{sv}"),
            ]
        case .contents:
            [
                ("Fetch", "as", "a{sv}"), ("Free", "as", "a{sv}"), ("Pin", "as", ""), ("Unpin", "as", ""),
                ("SetOnDemand", "sb", ""), ("SetRule", "sa{sv}", ""), ("Rule", "s", "a{sv}"), ("Clear", "s", "a{sv}"),
            ]
        }
    }

    /// The interface that emits a signal.
    private static func interface(emitting signal: String) -> EngineInterface {
        switch signal {
        case "VerifyProgress": .verification
        case "ContentsProgress": .contents
        case "RestoreProgress": .trash
        case _: .folders
        }
    }

    private func method(_ member: String, in input: String, out output: String) -> Interface.Method {
        Interface.Method(member, in: StandInWorker.arguments(input), out: StandInWorker.arguments(output)) { call in
            let arguments = try call.message.arguments().map(StandInWorker.read)
            self.log.withLock { $0.append([.string(member)] + arguments) }
            switch self.next(member) {
            case .values(let values, let more):
                call.reply { writer in
                    for value in values { try writer.append(value: value) }
                    try writer.append(map: more)
                }
            case .error(let name, let message):
                call.fail(DBusError(name: Names.errorPrefix + name, message: message))
            case .silence, .inTurn:
                // Kept to the end of the process: a call that is let go of is answered with an error.
                _ = Unmanaged.passRetained(call as AnyObject)
            }
        }
    }

    /// The value, with what a pipe holds in its place; its other end is closed.
    private static func read(_ value: DBusValue) -> DBusValue {
        guard case .fileDescriptor(let pipe) = value else { return value }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(pipe.number, &bytes, bytes.count)
        return .string(String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self))
    }

    /// Splits a signature at its complete types and adds the dictionary that every member ends in.
    private static func arguments(_ signature: String) -> [Interface.Argument] {
        let types: [String]
        switch signature {
        case "ss": types = ["s", "s"]
        case "sas": types = ["s", "as"]
        case "sx": types = ["s", "x"]
        case "sh": types = ["s", "h"]
        case "sb": types = ["s", "b"]
        case "sa{sv}": types = ["s", "a{sv}"]
        case "": types = []
        default: types = [signature]
        }
        return (types + ["a{sv}"]).enumerated().compactMap { index, type in
            (try? Signature(type)).map { (name: "a\(index)", type: $0) }
        }
    }
}
