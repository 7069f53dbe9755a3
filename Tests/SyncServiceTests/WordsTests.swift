import Remotes
import SyncCore
import Testing

@testable import SyncService

@Suite("Words for a person") struct WordsTests {
    private let explainer = Explainer(folder: "Documents")

    @Test("Each code has a whole sentence for either side, with all that it needs filled in")
    func everyCode() {
        for code in Explanation.Code.allCases where code != .nothing {
            for side in Side.allCases {
                let sentence = explainer.sentence(Explanation(code, side, "first", "2", "3"))
                #expect(!sentence.isEmpty && !sentence.contains("{"), "\(code): \(sentence)")
                #expect(code == .text || ".?".contains(sentence.last ?? " "), "\(sentence)")
                let others = Side.allCases.map { explainer.sentence(Explanation(code, $0, "first", "2", "3")) }
                #expect(
                    others[0] == others[1] || sentence.contains(side == .local ? "this computer" : "remote")
                        || sentence.contains("folder “first”"), "\(sentence)")
            }
        }
        #expect(explainer.sentence(.nothing).isEmpty)
    }

    @Test("Each code of a kind of remote has a whole sentence")
    func everyForeignCode() {
        for code in RemoteKinds.codes {
            let sentence = explainer.sentence(Explanation(code, .remote, "first", "2", "3"))
            #expect(!sentence.isEmpty && !sentence.contains("{") && !sentence.contains("/\(code.rawValue)"), "\(code)")
            #expect(sentence.last == "." || sentence.contains(": ") || sentence.contains("first"), "\(sentence)")
        }
        #expect(RemoteKinds.codes.count > 30)
        #expect(Set(RemoteKinds.codes.map { type(of: $0).domain + $0.rawValue }).count == RemoteKinds.codes.count)
    }

    @Test("A name that looks like a placeholder stays what it is", arguments: ["{1}", "{2}", "%1$s", "%2"])
    func namesLikePlaceholders(name: String) {
        #expect(
            explainer.sentence(Explanation(.winnerInLoser, .local, name, name)).hasPrefix(
                "“\(name)” contains “\(name)”, "))
        #expect(
            Explainer(folder: name).sentence(Explanation(.gone, .local, "")) == "“\(name)” is missing on this computer."
        )
        #expect(FolderNotices.errorsTitle(2, name) == "2 items in “\(name)” could not be synced")
        #expect(FolderNotices.conflictsText(1, name).hasPrefix("“\(name)” was changed on this computer"))
    }

    @Test("An explanation whose arguments are missing is still a sentence")
    func withoutArguments() {
        for code in Explanation.Code.allCases where code != .nothing && code != .text {
            #expect(!explainer.sentence(Explanation(code, .local)).isEmpty)
        }
        for code in RemoteKinds.codes { #expect(!explainer.sentence(Explanation(code, .remote)).isEmpty) }
    }

    @Test("The folder itself is called by its name, an error of the system by what it means")
    func arguments() {
        #expect(explainer.sentence(Explanation(.gone, .local, "")) == "“Documents” is missing on this computer.")
        let failed = Explanation(.failed, .remote, "a", "5")
        #expect(explainer.sentence(failed) == "“a” cannot be read or written on the remote: Input/output error.")
        let lost = Explanation(.attributesLost, .local, "a", "user.x", "group")
        #expect(
            explainer.sentence(lost)
                == "“a” was replaced on this computer and could not keep: its extended attribute user.x, its group.")
    }

    @Test("One is said of one, and a number of more")
    func plural() {
        #expect(FolderWords.conflicts(1) == "1 conflict")
        let one = explainer.sentence(Explanation(.deletionsWait, .remote, "1", "0"))
        #expect(one.hasPrefix("1 deletion on the remote needs your confirmation."))
        let more = explainer.sentence(Explanation(.deletionsWait, .local, "30", "9"))
        #expect(more.hasPrefix("30 more deletions on this computer, after 9 within the last hour, need"))
    }

    @Test("No sentence names a command: who reads it may have no terminal")
    func noCommands() {
        let said =
            Explanation.Code.allCases.flatMap { code in
                // The second number says that deletions came before.
                Side.allCases.flatMap { [Explanation(code, $0, "1", "0", "3"), Explanation(code, $0, "2", "2", "3")] }
            } + RemoteKinds.codes.map { Explanation($0, .remote, "first", "2", "3") }
        for sentence in said.map(explainer.sentence) {
            for command in ["roundel ", " --", "rclone config", "rclone ls", "sudo ", "systemctl "] {
                #expect(!sentence.contains(command), "\(sentence)")
            }
        }
    }
}
