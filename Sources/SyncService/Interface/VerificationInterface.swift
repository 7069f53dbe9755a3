internal import DBus
internal import RoundelBus

/// Comparing both sides: `org.roundel.Roundel1.Engine.Verification`.
enum VerificationInterface {
    static func make(for service: Worker) -> Interface {
        WorkerInterfaces.interface(
            .verification, methods(service),
            signals: [
                Interface.Signal(
                    "VerifyProgress", [("folder", "s"), ("progress", "a{sv}")] + WorkerInterfaces.extra)
            ])
    }

    private static func methods(_ service: Worker) -> [Interface.Method] {
        [
            .ofWorker("Verify", [("uri", "s")], [("result", "a{sv}")]) { [unowned service] call, reader in
                try VerifyCall.begin(call, try reader.readOptionalItemURI(), service)
            }
        ]
    }
}
