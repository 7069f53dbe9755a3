import DBus
import Glibc
import RoundelBus
import Support

/// A small sync engine of its own, as an example of what the provider library leaves to write and for tests that need
/// a second engine: `sample-provider FOLDER…`. Every item is synced; the menu can put a star on one.
do {
    let loop = try EventLoop()
    let signals = try loop.watchSignals([SIGTERM, SIGINT]) { _ in loop.stop() }
    let bus = try Connection.openSessionBus(on: loop)
    bus.onDisconnect = { loop.stop() }
    let engine = try SampleEngine(folders: Array(CommandLine.arguments.dropFirst()), on: bus)
    try engine.start()
    bus.requestName(SampleEngine.busName, flags: [.doNotQueue]) { result in
        if case .success(let reply) = result, reply.isOwner { return }
        log(.error, "\(SampleEngine.busName) is taken.")
        loop.stop()
    }
    loop.run()
    engine.stop()
    signals.cancel()
    bus.close()
} catch {
    log(.error, "\(error)")
    exit(1)
}
