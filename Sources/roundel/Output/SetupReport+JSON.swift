import Setup
import Support

extension SetupReport {
    /// `{"file_managers":[…],"service":…,"emblems":…,"command":…}`.
    var json: JSON {
        .object([
            .init("file_managers", .array(plugins.map(\.json))), .init("service", .optional(service, \.json)),
            .init("emblems", .optional(emblems) { .bool($0.isRunning) }),
            .init("command", .optional(command) { .string(Administrator.text($0)) }),
        ])
    }
}

extension PluginReport {
    fileprivate var json: JSON {
        .object([
            .init("id", .string(manager.program)), .init("name", .string(manager.name)),
            .init("state", .string(state.rawValue)), .init("running", .bool(isRunning)),
        ])
    }
}

extension ServiceReport {
    fileprivate var json: JSON {
        .object([
            .init("enabled", .bool(isEnabled)), .init("running", .bool(problem == nil)),
            .init("problem", .optional(problem) { .string($0.text) }),
        ])
    }
}
