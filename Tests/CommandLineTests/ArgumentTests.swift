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
        func remote(_ argument: String) throws -> RemoteText? {
            if case .remote(let remote) = try RemoteArgument(argument, resolver: ArgumentTests.resolver) {
                remote
            } else {
                nil
            }
        }
        #expect(try remote("/mnt/x")?.text == "file:///mnt/x")
        #expect(try remote("file:///mnt/x/")?.text == "file:///mnt/x")
        #expect(try remote("share")?.text == "file:///home/me/share")
        #expect(try remote("./a.b")?.text == "file:///home/me/a.b")
        for address in ["webdav+https://me@host/x", "webdav+http://localhost/"] {
            #expect(try remote(address)?.text == address && remote(address)?.account != nil)
        }
        for address in ["webdav+https://me:hunter2@host/x", "webdav+http://host/"] {
            #expect { try RemoteArgument(address, resolver: ArgumentTests.resolver) } throws: { error in
                let failure = error as? CommandFailure
                return failure?.status == .usage && failure?.sentence.contains("hunter2") == false
            }
        }
        for address in ["rclone:drive:x", "RCLONE:drive:x"] {
            #expect(try remote(address)?.text == "rclone:drive:x" && remote(address)?.account == nil)
        }
    }

    @Test(
        "What is neither a path nor in the worker's form, the worker finds",
        arguments: ["https://host/x", "cloud.example.org", "cloud.example.org/x", "me@host:/x", "drive:x", "host:8080"])
    func addresses(_ text: String) throws {
        #expect(try RemoteArgument(text, resolver: ArgumentTests.resolver) == .address(text))
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
