import Testing

@testable import Desktop

@Suite("F9: who is given which answer of a sidebar's menu") struct MenuRequestsTests {
    /// In a class, so that an expectation can change it.
    private final class Requests {
        private var value: MenuRequests<Int>
        init(most: Int) { value = MenuRequests(most: most) }
        func add(_ asker: Int, of caller: String) -> Bool { value.add(asker, of: caller) }
        func begin() -> Bool { value.begin() }
        func end() -> (askers: [Int], isOutdated: Bool) { value.end() }
    }

    @Test("Who comes while a request is on its way is given the answer to the next one")
    func next() {
        let requests = Requests(most: 10)
        #expect(requests.add(1, of: "a"))
        #expect(requests.begin())
        #expect(requests.add(2, of: "a"))
        #expect(!requests.begin())
        #expect(requests.end() == ([1], true))
        #expect(requests.begin())
        #expect(requests.end() == ([2], false))
    }

    @Test("Whoever came before a request has its answer, however many come and whatever changes during each")
    func flood() {
        let requests = Requests(most: 10)
        var answered: [Int] = []
        #expect(requests.add(0, of: "quiet") && requests.begin())
        for number in 1...100 {
            // A caller all the time, and the folder's state changes all the time.
            #expect(requests.add(number, of: "loud") && !requests.begin())
            #expect(!requests.begin())
            let (askers, isOutdated) = requests.end()
            answered += askers
            #expect(isOutdated && requests.begin())
        }
        #expect(answered == Array(0..<100))
    }

    @Test("Only so many wait for one caller, which takes nothing from others; who was answered does not count")
    func bound() {
        let requests = Requests(most: 4)
        #expect(requests.add(0, of: "loud") && requests.begin())
        for number in 1..<4 { #expect(requests.add(number, of: "loud")) }
        #expect(!requests.add(4, of: "loud"))
        #expect(requests.add(5, of: "quiet"))
        #expect(!requests.begin())
        #expect(requests.end() == ([0], true))
        #expect(requests.add(6, of: "loud"))
        #expect(!requests.add(7, of: "loud"))
        #expect(requests.begin())
        #expect(requests.end() == ([1, 2, 3, 5, 6], false))
        for number in 0..<4 { #expect(requests.add(number, of: "loud")) }
    }

    @Test("A change while nothing is on its way is asked about once")
    func change() {
        let requests = Requests(most: 4)
        #expect(requests.begin())
        #expect(requests.end() == ([], false))
    }
}
