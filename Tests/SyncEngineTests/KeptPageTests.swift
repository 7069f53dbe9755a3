import SyncCore
import Testing

@testable import SyncEngine

@Suite struct KeptPageTests {
    private func version(_ number: Int, date: Int64, _ place: KeptVersion.Place) -> KeptVersion {
        KeptVersion(
            id: "\(number)", path: .root, reason: .deleted, place: place, date: date, stored: 0, size: 0,
            isDirectory: false)
    }

    /// All parts of a list, as a caller asks for one after the other.
    private func parts(of sides: [[KeptVersion]], limit: Int) -> [[KeptVersion]] {
        var (parts, start): ([[KeptVersion]], KeptPage.Position?) = ([], nil)
        while parts.count < 100 {
            let found = sides.flatMap { versions in
                var page = KeptPage(after: start, limit: limit)
                for version in versions { page.add(version) }
                return page.versions
            }
            let (part, isPart) = KeptPage.newest(found, limit) { $0 }
            parts.append(part)
            guard isPart, let last = part.last else { break }
            start = KeptPage.Position(KeptPage.Position(of: last).text)
        }
        return parts
    }

    @Test("All parts of a list are the list, the newest first", arguments: [1, 2, 3, 5, 40])
    func parts(limit: Int) {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<50 {
            let sides = [KeptVersion.Place.desktop, .remote].map { place in
                (0..<Int.random(in: 0...20, using: &random)).map {
                    version($0, date: .random(in: 0...6, using: &random), place)
                }
            }
            let all = sides.flatMap(\.self).sorted { KeptPage.Position(of: $0) > KeptPage.Position(of: $1) }
            let parts = parts(of: sides, limit: limit)
            #expect(parts.flatMap(\.self) == all)
            #expect(parts.allSatisfy { $0.count <= limit })
        }
    }

    @Test("Versions of one place in the list are not torn apart")
    func samePlace() {
        let same = (0..<5).map { _ in version(1, date: 3, .desktop) }
        let parts = parts(of: [same + [version(2, date: 1, .desktop)]], limit: 2)
        #expect(parts.map(\.count) == [5, 1])
    }

    @Test("What is no place in a list begins nowhere", arguments: ["", "7", "x y", "99999999999999999999 a"])
    func noPlace(text: String) { #expect(KeptPage.Position(text) == nil) }
}
