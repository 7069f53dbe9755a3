internal import DBus
internal import RoundelBus

/// The interfaces of an engine that the worker offers, which are all. They are exported at one object.
enum WorkerInterfaces {
    fileprivate static let options: [Interface.Argument] = [("options", "a{sv}")]
    /// The dictionary at the end of each reply and signal.
    static let extra: [Interface.Argument] = [("extra", "a{sv}")]

    static func make(for service: Worker) -> [Interface] {
        EngineInterface.allCases.map { interface in
            switch interface {
            case .folders: FoldersInterface.make(for: service)
            case .conflicts: ConflictsInterface.make(for: service)
            case .trash: TrashInterface.make(for: service)
            case .network: NetworkInterface.make(for: service)
            case .accounts: AccountsInterface.make(for: service)
            case .verification: VerificationInterface.make(for: service)
            case .contents: ContentsInterface.make(for: service)
            case .remotes: RemotesInterface.make(for: service)
            case .shares: SharesInterface.make(for: service)
            }
        }
    }

    /// The object of each, for the registration.
    static var services: [String: String] {
        Dictionary(uniqueKeysWithValues: EngineInterface.allCases.map { ($0.name, Names.workerPath.rawValue) })
    }

    /// An interface with its version.
    static func interface(
        _ interface: EngineInterface, _ methods: [Interface.Method], signals: [Interface.Signal] = []
    ) -> Interface {
        Interface(interface.name, methods: methods, properties: [.version], signals: signals)
    }
}

extension Interface.Method {
    /// A method whose handler may throw ``WorkerError``.
    static func ofWorker(
        _ name: String, _ input: [Interface.Argument], _ output: [Interface.Argument] = [],
        _ handler: @escaping (MethodCall, inout MessageReader) throws -> Void
    ) -> Interface.Method {
        Interface.Method(name, in: input + WorkerInterfaces.options, out: output + WorkerInterfaces.extra) { call in
            var reader = call.reader
            do {
                try handler(call, &reader)
            } catch let error as WorkerError {
                throw error.busError
            }
        }
    }
}
