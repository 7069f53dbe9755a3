import Checking
import DBus
import RoundelBus
import Support

/// Plays the service for a host: gives it a folder and badges, and takes them away in every way in which that happens.
struct HostPlay {
    /// The host is gone, so that nothing more can be played.
    private struct Gone: Error {}

    private let session: PrivateSession
    private let stand: HostStand
    private let witness: AsyncConnection
    private var service: AsyncConnection

    init(_ stand: HostStand, in session: PrivateSession) async throws {
        self.session = session
        self.stand = stand
        witness = try await session.connect()
        service = try await session.connect()
        try await stand.serve(on: service)
    }

    /// Plays everything.
    /// - Parameter program: The host, if the check has started it; otherwise it is waited for until it comes.
    mutating func run(_ program: CheckedProgram?) async throws {
        do {
            try await awaitHost(program)
            try await playUnknown()
            try await playReset()
            try await playFolders()
            try await playAbsence()
            try await playVersion()
        } catch is Gone {}
        await witness.close()
        await service.close()
    }

    /// Waits until the host has done what a rule asks for.
    private func await(_ rule: HostRule, _ limit: Duration = Patience.Checking.reaction) async throws -> Bool {
        let isDone = try await stand.wait(limit) { !$0.awaits(rule) }
        if !isDone {
            try await check()
            stand.note(.waitedInVain(rule))
        }
        return isDone
    }

    /// - Throws: ``Gone`` if the host has left the bus.
    private func check() async throws {
        guard let host = stand.host, try await witness.owner(of: host) == nil else { return }
        stand.note(.left)
        throw Gone()
    }

    /// Sees whether the host goes on after something: it answers, and does not leave the bus for it.
    private func watch(_ rule: HostRule, from bus: AsyncConnection) async throws {
        guard let host = stand.host else { throw Gone() }
        do {
            _ = try await bus.call(
                host, "/", "org.freedesktop.DBus.Peer", "Ping", timeout: Patience.Checking.answer)
        } catch let error as DBusError {
            try await check()
            // Any other answer is one as well.
            if error.standard == .noReply { return stand.note(.waitedInVain(rule)) }
        }
        // Some libraries answer a ping before the program has seen what came earlier.
        try await Task.sleep(for: Patience.Checking.watching)
        try await check()
        stand.note(.wentOn)
    }

    private func awaitHost(_ program: CheckedProgram?) async throws {
        if let program {
            _ = try await stand.wait(Patience.Checking.start) { trial in
                !trial.awaits(.observes) || (stand.host == nil && program.status != nil)
            }
            guard !stand.trial.awaits(.observes) else {
                if stand.host == nil, let status = program.status {
                    stand.note(.commandEnded(status: status))
                } else {
                    try await check()
                    stand.note(.waitedInVain(.observes))
                }
                throw Gone()
            }
        } else {
            while !(try await stand.wait(Patience.Checking.start, until: { !$0.awaits(.observes) })) {}
        }
        if try await self.await(.asks) { try await settle() }
    }

    /// Gives the host the time to ask for all that it shows, so that what is played next does not cut it off.
    private func settle() async throws {
        if !(try await stand.wait(Patience.Checking.reaction) { $0.hasSettled }), !stand.trial.hasReadPages {
            try await check()
            stand.note(.waitedInVain(.pages))
        }
        try await Task.sleep(for: Patience.Checking.watching)
    }

    private func playUnknown() async throws {
        try await stand.sendUnknown(on: service)
        // What was told is not asked for, either.
        try await watch(.unknown, from: service)
    }

    private func playReset() async throws {
        stand.refuseNext()
        try await stand.reset(on: service)
        guard try await self.await(.reset) else { return }
        guard try await stand.wait(Patience.Checking.reaction, until: { _ in !stand.isRefusing }) else {
            return stand.note(.skipped(.refusals, because: tr("It asked for no badges after Reset.")))
        }
        try await watch(.refusals, from: service)
    }

    private func playFolders() async throws {
        try await stand.withdraw(on: service)
        try await Task.sleep(for: Patience.Checking.watching)
        try await stand.giveBack(on: service)
        if try await self.await(.folders) { try await settle() }
    }

    private mutating func playAbsence() async throws {
        stand.note(.serviceLeft)
        await service.close()
        try await watch(.stays, from: witness)
        try await restart(hasVersion: true)
        if try await self.await(.returns, Patience.Checking.start) { try await settle() }
    }

    private mutating func playVersion() async throws {
        stand.note(.serviceLeft)
        await service.close()
        try await Task.sleep(for: Patience.Checking.watching)
        try await restart(hasVersion: false)
        try await Task.sleep(for: Patience.Checking.watching)
        try await check()
        stand.note(.watched(.version))
    }

    private mutating func restart(hasVersion: Bool) async throws {
        service = try await session.connect()
        stand.note(.serviceCame(hasVersion: hasVersion))
        try await stand.serve(on: service, hasVersion: hasVersion)
    }
}
