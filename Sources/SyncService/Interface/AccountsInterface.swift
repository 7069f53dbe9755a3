internal import DBus
internal import RoundelBus

/// Logins at servers: `org.roundel.Roundel1.Engine.Accounts`.
enum AccountsInterface {
    static func make(for service: Worker) -> Interface {
        WorkerInterfaces.interface(.accounts, methods(service))
    }

    private static func methods(_ service: Worker) -> [Interface.Method] {
        [
            .ofWorker("BeginLogin", [("remote", "s")], [("login", "s"), ("address", "s")]) {
                [unowned service] call, reader in
                try service.browserLogins.begin(at: try service.kinds.loginPlace(try reader.readString()), call)
            },
            .ofWorker("AwaitLogin", [("login", "s")], [("user", "s")]) { [unowned service] call, reader in
                try service.browserLogins.wait(for: try reader.readString(), call)
            },
            .ofWorker("SaveLogin", [("remote", "s"), ("password", "h")]) { [unowned service] call, reader in
                let place = try service.kinds.loginPlace(try reader.readString())
                let password = OwnedFileDescriptor(owning: try reader.readFileDescriptor())
                try service.accountLogins.save(password, at: place, call)
            },
            .ofWorker("CheckLogin", [("remote", "s")]) { [unowned service] call, reader in
                try service.accountLogins.check(at: try service.kinds.loginPlace(try reader.readString()), call)
            },
            .ofWorker("EndLogin", [("remote", "s")]) { [unowned service] call, reader in
                try service.accountLogins.end(at: try service.kinds.loginPlace(try reader.readString()), call)
            },
        ]
    }
}
