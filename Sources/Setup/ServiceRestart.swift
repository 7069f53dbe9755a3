internal import DBus
internal import RoundelBus
internal import Support
internal import SystemPackage

/// Has the badge service of this installation take the place of the one that runs.
package enum ServiceRestart {
    /// - Parameter isManaged: Whether the user manager runs the badge service.
    /// - Throws: ``SetupFailure``, `DBusError`.
    package static func perform(isManaged: Bool) async throws {
        let bus = try await AsyncConnection.open(.session)
        if isManaged, let units = await UserUnits.find(bus) {
            return try await units.restart("\(ServiceSetup.badgeService).service")
        }
        let installation = try Installation.ofThisProgram()
        guard let program = installation.program(ServiceSetup.badgeService),
            ChildProgram.start([program.string, "--replace"])
        else { throw SetupFailure.helperNotStarted(ServiceSetup.badgeService) }
        // Until it has its name, the earlier one answers.
        let before = try await bus.owner(of: Names.service)
        let deadline = ContinuousClock.now + Patience.CommandLine.start
        while try await bus.owner(of: Names.service) == before, ContinuousClock.now < deadline {
            try await Task.sleep(for: Patience.CommandLine.asking)
        }
    }
}
