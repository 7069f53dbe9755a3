import Glibc
import SyncCore
import Testing

@testable import SyncService

/// What is made of a remote that is not there.
@Suite struct RemoteAbsenceTests {
    @Test(
        "What may pass is told from what a person has to see to",
        arguments: [
            (Explanation.Code.serverUnreachable, RemoteAbsence.passing), (.serverBusy, .passing),
            (.serverLogin, .login), (.serverLoginRefused, .login), (.serverLoginUnreadable, .login),
            (.serverUntrusted, .server), (.serverMoved, .server), (.collectionMissing, .server),
            (.serverTrouble, .trouble),
        ])
    func kinds(code: Explanation.Code, absence: RemoteAbsence) {
        #expect(RemoteAbsence(Explanation(code, .remote)) == absence)
    }

    @Test("What this computer lacks is not the remote's", arguments: Side.allCases)
    func shortage(side: Side) {
        for number in [EMFILE, ENFILE, ENOMEM] {
            #expect(RemoteAbsence(Explanation(.rootUnusable, side, "/r", "\(number)")) == .shortage)
        }
        #expect(RemoteAbsence(Explanation(.rootUnusable, side, "/r", "\(EACCES)")) == .directory)
        #expect(RemoteAbsence(Explanation(.rootMissing, .remote, "/r")) == .directory)
    }
}
