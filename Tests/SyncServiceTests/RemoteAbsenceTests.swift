import Glibc
import Rclone
import Remotes
import SyncCore
import Testing
import WebDAV

@testable import SyncService

/// What is made of a remote that is not there.
@Suite struct RemoteAbsenceTests {
    @Test(
        "What may pass is told from what a person has to see to",
        arguments: [
            (Explanation(ServerCode.unreachable, .remote), RemoteAbsence.passing),
            (Explanation(.busy, .remote), .passing),
            (Explanation(ServerCode.login, .remote), .login), (Explanation(ServerCode.loginRefused, .remote), .login),
            (Explanation(ServerCode.loginUnreadable, .remote), .login),
            (Explanation(ServerCode.untrusted, .remote), .server), (Explanation(ServerCode.moved, .remote), .server),
            (Explanation(ServerCode.missing, .remote), .server), (Explanation(ServerCode.trouble, .remote), .trouble),
            (Explanation(RcloneCode.unreachable, .remote), .passing), (Explanation(RcloneCode.login, .remote), .login),
            (Explanation(RcloneCode.untrusted, .remote), .server), (Explanation(RcloneCode.missing, .remote), .server),
            (Explanation(RcloneCode.noProgram, .remote), .server),
            (Explanation(RcloneCode.notStarted, .remote), .server),
            (Explanation(RcloneCode.notConfigured, .remote), .server),
            (Explanation(RcloneCode.trouble, .remote), .trouble),
        ])
    func kinds(message: Explanation, absence: RemoteAbsence) {
        #expect(RemoteAbsence(message) == absence)
    }

    @Test("What is said of an item says nothing about the remote")
    func items() {
        for code in RemoteKinds.codes where code.absence == nil {
            #expect(RemoteAbsence(Explanation(code, .remote, "a")) == .directory, "\(code)")
        }
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
