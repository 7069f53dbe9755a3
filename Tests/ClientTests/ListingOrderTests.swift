import RoundelBus
import Support
import Testing

@testable import Client

@Suite struct ListingOrderTests {
    @Test func directoriesComeFirstAndNumbersByTheirValue() throws {
        func entry(_ name: String, _ kind: ListedItem.Kind = .file) -> ListedItem {
            ListedItem(name: Array(name.utf8), kind: kind, size: kind == .file ? 10 : nil)
        }
        let listing = Listing(
            directory: try ItemURI("file:///d"),
            entries: [entry("b10.txt"), entry("b9.txt"), entry("zoo", .directory), entry("A", .symlink)],
            states: [
                try ItemName("b10.txt"): ItemBadge(badge: .syncing, progress: 40),
                try ItemName("coming.bin"): ItemBadge(badge: .pending), try ItemName("gone.bin"): .none,
            ],
            labels: BadgeLabels())
        let names = listing.items.map { String(decoding: $0.name.bytes, as: UTF8.self) }
        #expect(names == ["zoo", "A", "b9.txt", "b10.txt", "coming.bin"])
        #expect(listing.items.map(\.entry?.kind) == [.directory, .symlink, .file, .file, nil])
        #expect(listing.items.map(\.state.badge) == [.none, .none, .none, .syncing, .pending])
    }

    @Test func naturalOrderIsATotalOrder() {
        let names = ["a", "A", "a1", "a01", "a2", "a10", "b", "", "a1b", "a001", "Z", "9", "10", "ä"].map {
            Array($0.utf8)
        }
        for first in names {
            #expect(!NaturalOrder.areInIncreasingOrder(first, first))
            for second in names where first != second {
                let forth = NaturalOrder.areInIncreasingOrder(first, second)
                #expect(forth != NaturalOrder.areInIncreasingOrder(second, first))
                for third in names where forth && NaturalOrder.areInIncreasingOrder(second, third) {
                    #expect(NaturalOrder.areInIncreasingOrder(first, third))
                }
            }
        }
    }
}
