import SyncCore
import Testing

@Suite("What a root is known by")
struct RootIdentityTests {
    private func token(_ mark: Character?, _ inode: UInt64, keepsInode: Bool = true) -> Token {
        RootIdentity(
            mark: mark.map { String(repeating: $0, count: 32) }, inode: inode, born: 5, keepsInode: keepsInode
        ).token
    }

    @Test("a token says all of an identity")
    func coding() throws {
        for identity in [
            RootIdentity(mark: nil, inode: .max, born: -1, keepsInode: true),
            RootIdentity(mark: String(repeating: "a", count: 32), inode: 0, born: .min, keepsInode: false),
        ] {
            #expect(RootIdentity(identity.token) == identity)
        }
        #expect(RootIdentity(Token([1, 2])) == nil)
    }

    @Test("the directory itself is the same, with a mark, without one, and with one that it got or lost since")
    func same() {
        let pairs: [(Token, Token)] = [
            (token(nil, 1), token(nil, 1)), (token("a", 1), token("a", 1)), (token(nil, 1), token("a", 1)),
            (token("a", 1), token(nil, 1)), (token("a", 1), token("b", 1)),
        ]
        for (known, found) in pairs { #expect(RootIdentity.compare(known: known, found: found) == .same) }
    }

    @Test("where no place lasts, a known mark that is missing or another is not the same, and nobody gives it one")
    func lostMarks() {
        func network(_ mark: Character?) -> Token {
            RootIdentity(
                mark: mark.map { String(repeating: $0, count: 32) }, inode: 0, born: 0, keepsInode: false
            ).token
        }
        func undated(_ mark: Character?) -> Token {
            RootIdentity(
                mark: mark.map { String(repeating: $0, count: 32) }, inode: 2, born: 0, keepsInode: true
            ).token
        }
        for made in [network, undated, { token($0, 1, keepsInode: false) }] {
            for found in [made(nil), made("b")] {
                #expect(RootIdentity.compare(known: made("a"), found: found) == nil)
            }
            #expect(RootIdentity.compare(known: made(nil), found: made("b")) == .same)
            #expect(RootIdentity.compare(known: made("a"), found: made("a")) == .same)
            #expect(!RootIdentity.mayMark(known: made("a"), found: made("b")))
        }
    }

    @Test("a root that is said to be the known one keeps the mark that it has, and gets the known one if it has none")
    func adopted() {
        #expect(RootIdentity.adopted(known: token("a", 1), found: token(nil, 2)) == token("a", 2))
        #expect(RootIdentity.adopted(known: token("a", 1), found: token("b", 2)) == token("b", 2))
        #expect(RootIdentity.mayMark(known: token("a", 2), found: token(nil, 2)))
        #expect(!RootIdentity.mayMark(known: token("a", 2), found: token(nil, 3)))
    }

    @Test("another directory with the mark is a copy, where inode numbers last; where they do not, the mark counts")
    func copies() {
        #expect(RootIdentity.compare(known: token("a", 1), found: token("a", 2)) == .copy)
        #expect(RootIdentity.compare(known: token("a", 1, keepsInode: false), found: token("a", 2)) == .copy)
        let network = token("a", 2, keepsInode: false)
        #expect(RootIdentity.compare(known: token("a", 1, keepsInode: false), found: network) == .same)
        #expect(RootIdentity.compare(known: token("b", 2, keepsInode: false), found: network) == nil)
    }

    @Test("another directory without the mark is another one")
    func others() {
        for found in [token(nil, 2), token("b", 2)] {
            #expect(RootIdentity.compare(known: token("a", 1), found: found) == nil)
            #expect(RootIdentity.compare(known: token(nil, 1), found: found) == nil)
        }
        #expect(RootIdentity.compare(known: Token([1]), found: Token([2])) == nil)
        #expect(RootIdentity.compare(known: Token([1]), found: Token([1])) == .same)
    }
}
