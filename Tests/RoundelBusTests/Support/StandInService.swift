import DBus
import RoundelBus
import Synchronization
import TestSupport

/// A badge service that answers what a test says, in whatever form, and writes down what it was asked.
final class StandInService: Sendable {
    /// What a method answers: the values of its reply, one reply after the other; the last one stays.
    typealias Answers = [String: [[DBusValue]]]

    private struct State {
        var answers: Answers
        var calls: [[DBusValue]] = []
    }

    let connection: AsyncConnection
    /// The host that asks it.
    let host: HostProxy
    private let state: Mutex<State>

    /// - Parameter properties: those of the Host interface.
    init(
        _ bus: PrivateBus, _ answers: Answers, properties: @escaping @Sendable () -> [Interface.Property] = { [] }
    ) async throws {
        state = Mutex(State(answers: answers))
        connection = try await .open(bus.address)
        host = try await .open(bus.address)
        let service = self
        let members = answers.keys.sorted()
        try await connection.perform { connection in
            for interface in [Names.host, Names.providers] {
                let methods = members.map { member in
                    Interface.Method(member, in: Self.arguments[member] ?? []) { call in service.answer(call) }
                }
                let own = interface == Names.host ? properties() : []
                _ = try connection.export(
                    Interface(interface, methods: methods, properties: own), at: Names.servicePath)
            }
        }
        guard try await connection.requestName(Names.service, flags: [.doNotQueue]).isOwner else {
            throw Failure("the name has an owner")
        }
    }

    /// What the methods are called with.
    private static let arguments: [String: [Interface.Argument]] = [
        "BeginObserving": ["s", "a{sv}"], "RequestBadges": ["s", "as", "a{sv}"],
        "RequestDirectory": ["s", "s", "u", "a{sv}"], "GetMenu": ["u", "s", "as", "a{sv}"],
        "Activate": ["t", "s", "a{sv}"], "GetAttributes": ["s", "as", "a{sv}"],
        "GetItemService": ["s", "s", "a{sv}"], "List": ["a{sv}"],
    ].mapValues { (types: [Signature]) in types.map { ("argument", $0) } }

    /// Waits until it was asked something; fails after four minutes.
    func untilItIsAsked() async throws {
        let deadline = ContinuousClock.now + .seconds(240)
        while calls.isEmpty {
            guard ContinuousClock.now < deadline else { throw Failure("nothing was asked") }
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    /// The calls so far, each its member and its arguments.
    var calls: [[DBusValue]] { state.withLock { $0.calls } }

    private func answer(_ call: MethodCall) {
        let arguments = (try? call.message.arguments()) ?? []
        let values = state.withLock { state -> [DBusValue] in
            state.calls.append([.string(call.member)] + arguments)
            guard let answers = state.answers[call.member], let first = answers.first else { return [] }
            if answers.count > 1 { state.answers[call.member]?.removeFirst() }
            return first
        }
        call.reply { writer in for value in values { try writer.append(value: value) } }
    }

    /// Sends a signal to everyone.
    func emit(_ interface: String, _ member: String, _ arguments: [DBusValue]) async throws {
        try await connection.perform { connection in
            try connection.emit(Names.servicePath, interface, member) { writer in
                for argument in arguments { try writer.append(value: argument) }
            }
        }
    }
}
