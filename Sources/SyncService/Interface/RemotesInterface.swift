internal import DBus
internal import RoundelBus

/// What folders can sync with: `org.roundel.Roundel1.Engine.Remotes`.
enum RemotesInterface {
    static func make(for service: Worker) -> Interface {
        WorkerInterfaces.interface(.remotes, methods(service))
    }

    private static func methods(_ service: Worker) -> [Interface.Method] {
        [
            .ofWorker("Find", [("address", "s")], [("found", "a{sv}")]) { [unowned service] call, reader in
                let address = try reader.readString()
                _ = try reader.readOptions()
                try service.search.find(address, call)
            },
            .ofWorker("ListDirectories", [("remote", "s"), ("path", "s")], [("directories", "aa{sv}")]) {
                [unowned service] call, reader in
                let (remote, path) = (try reader.readString(), try reader.readString())
                try service.search.list(remote, path, limit: try reader.readOptions().uint32("limit"), call)
            },
            .ofWorker("SetCertificates", [("address", "s")], [("server", "s")]) { [unowned service] call, reader in
                let address = try reader.readString()
                try service.certificates.set(address, try reader.readOptions(), call)
            },
            .ofWorker("Preview", [("uri", "s"), ("remote", "s")], [("result", "a{sv}")]) {
                [unowned service] call, reader in
                let (uri, remote) = (try reader.readString(), try reader.readString())
                let options = try reader.readOptions()
                do throws(WorkerError) {
                    let folder = try NewFolder(uri, remote: remote, options, service.kinds)
                    try PreviewCall.begin(call, folder, seconds: options.uint32("seconds"), service)
                } catch {
                    guard error.code == .invalidRemote else { throw error }
                    service.placement.refuse(remote, because: error, call)
                }
            },
        ]
    }
}
