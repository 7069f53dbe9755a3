package import DBus

/// Why a service does not run.
package enum ServiceProblem: Hashable, Sendable {
    /// There is no session bus.
    case noBus
    /// The bus or the service refused a call.
    case refused(DBusError)
    /// Its program could not be started.
    case failed(SetupFailure)
    /// Another error, with its description.
    case other(String)

    /// The problem behind an error.
    init(_ error: any Error) {
        switch error {
        case let error as DBusError: self = .refused(error)
        case let failure as SetupFailure: self = .failed(failure)
        default: self = .other("\(error)")
        }
    }
}

/// The result of setting up the badge service.
package struct ServiceReport: Sendable, Equatable {
    /// Whether the user manager starts it with the session.
    package let isEnabled: Bool
    /// Why it does not run.
    package let problem: ServiceProblem?

    var finding: Finding {
        Finding(
            .service, problem == nil ? .good : .problem, .service(self), remedy: problem == nil ? nil : .seeDoctor)
    }
}
