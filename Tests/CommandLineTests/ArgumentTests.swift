import RoundelBus
import SystemPackage
import Testing

@testable import roundel

@Suite struct ArgumentTests {
    static let resolver = PathSpelling(workingDirectory: "/home/me") { path in
        path == "/home/me/link/.." ? "/elsewhere" : nil
    }

    static func uri(_ text: String) throws -> String { try ItemArgument(text, resolver: resolver).text }

    @Test(arguments: [
        ("a", "file:///home/me/a"), ("/a//b/", "file:///a/b"), ("./a/./b", "file:///home/me/a/b"),
        (".", "file:///home/me"), ("..", "file:///home"), ("a/../b", "file:///home/me/b"),
        ("link/../b", "file:///elsewhere/b"), ("/", "file:///"), ("/..", "file:///"),
        ("ä #?%", "file:///home/me/%C3%A4%20%23%3F%25"),
        ("file:///x%20y", "file:///x%20y"), ("file://localhost/x", "file:///x"), ("a\nb", "file:///home/me/a%0Ab"),
        ("a:b", "file:///home/me/a:b"),
    ])
    func pathsAndURIsNameItems(text: String, uri: String) throws {
        let expected = try ItemURI(uri.replacingColons).uri
        #expect(try ArgumentTests.uri(text) == expected)
    }

    @Test(arguments: ["", "http://example.org/x", "file:///a/../b", "file:///a%2Fb", "file://host/x", "file:///x#y"])
    func whatNamesNoItemIsWrongUsage(text: String) {
        #expect { try ArgumentTests.uri(text) } throws: { ($0 as? CommandFailure)?.status == .usage }
    }

    @Test func argumentsThatAreNotUTF8KeepTheirBytes() throws {
        let vector = try ArgumentVector(
            [Array("badge".utf8), [0x61, 0xFF, 0x0A], Array("--json".utf8)], resolver: ArgumentTests.resolver)
        #expect(vector.arguments == ["badge", "file:///home/me/a%FF%0A", "--json"])
        let item = try ItemArgument(vector.arguments[1], resolver: ArgumentTests.resolver)
        #expect(item.uri.filePath.bytes == Array("/home/me/a".utf8) + [0xFF, 0x0A])
        #expect(item.path == "/home/me/a\\xFF\n")
    }

    @Test func everyByteButSlashAndNULSurvivesInAName() throws {
        for byte in UInt8(1)...255 where byte != UInt8(ascii: "/") {
            let name: [UInt8] = [0x78, byte, 0x79]
            let vector = try ArgumentVector([name], resolver: ArgumentTests.resolver)
            let item = try ItemArgument(vector.arguments[0], resolver: ArgumentTests.resolver)
            #expect(item.uri.name?.bytes == name)
        }
    }

    @Test func anOptionThatIsNotUTF8IsLeftToTheParserAndAnOperandAfterTwoDashesIsNot() throws {
        let dashed: [UInt8] = [0x2D, 0xFF]
        let option = try ArgumentVector([dashed], resolver: ArgumentTests.resolver)
        #expect(option.arguments == ["-\\xFF"])
        let operand = try ArgumentVector([Array("--".utf8), dashed], resolver: ArgumentTests.resolver)
        #expect(operand.arguments == ["--", "file:///home/me/-%FF"])
    }

    @Test func remotesAreDirectoriesOrServersAndTheOthersAreRefusedWithASentence() throws {
        #expect(try RemoteArgument("/mnt/x", resolver: ArgumentTests.resolver).text == "file:///mnt/x")
        #expect(try RemoteArgument("file:///mnt/x/", resolver: ArgumentTests.resolver).text == "file:///mnt/x")
        #expect(try RemoteArgument("share", resolver: ArgumentTests.resolver).text == "file:///home/me/share")
        for remote in ["webdav+https://me@host/x", "webdav+http://localhost/"] {
            let argument = try RemoteArgument(remote, resolver: ArgumentTests.resolver)
            #expect(argument.text == remote && argument.account != nil)
        }
        for remote in ["webdav+https://me:hunter2@host/x", "webdav+http://host/"] {
            #expect { try RemoteArgument(remote, resolver: ArgumentTests.resolver) } throws: { error in
                let failure = error as? CommandFailure
                return failure?.status == .usage && failure?.sentence.contains("hunter2") == false
            }
        }
        for remote in ["rclone:drive:x", "RCLONE:drive:x"] {
            let argument = try RemoteArgument(remote, resolver: ArgumentTests.resolver)
            #expect(argument.text == "rclone:drive:x" && argument.account == nil)
        }
        #expect { try RemoteArgument("https://host/x", resolver: ArgumentTests.resolver) } throws: { error in
            (error as? CommandFailure)?.status == .usage
        }
    }
}

extension String {
    /// The canonical encoding of a colon, which the test data leave plain.
    fileprivate var replacingColons: String {
        let scheme = "file://"
        return scheme
            + dropFirst(scheme.count).split(separator: ":", omittingEmptySubsequences: false).joined(separator: "%3A")
    }
}
