import Client
import DBus
import RoundelBus
import Testing

@Suite struct ServiceFailureTests {
    @Test("An error is one of a service, which its message names, or a sentence")
    func meanings() {
        let worker = "The name \(Names.worker) was not provided"
        #expect(ServiceFailure(DBusError(.serviceUnknown, worker)) == .missing(.worker))
        #expect(ServiceFailure(DBusError(.nameHasNoOwner, Names.service)) == .missing(.badges))
        #expect(ServiceFailure(DBusError(.noReply, "late")) == .late(.badges, "late"))
        #expect(ServiceFailure(DBusError(.spawnFailed, worker)) == .notStarted(.worker, worker))
        let other = DBusError(name: "org.freedesktop.DBus.Error.Spawn.Later", message: worker)
        #expect(ServiceFailure(other) == .notStarted(.worker, worker))
        #expect(ServiceFailure(.disconnected) == .busClosed)
        #expect(ServiceFailure(DBusError(.unknownMethod, "x")) == .otherVersion)
        #expect(ServiceFailure(DBusError(name: "org.example.E", message: "It broke.")) == .said("It broke."))
        #expect(ServiceFailure(DBusError(name: "org.example.E", message: "")) == .said("org.example.E"))
    }
}
