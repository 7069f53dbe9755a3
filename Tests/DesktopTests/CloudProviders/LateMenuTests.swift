import RoundelBus
import Testing

@testable import Desktop

@Suite("F9: a sidebar's menu whose provider was late") struct LateMenuTests {
    private let some = SidebarMenu([MenuItem(id: "a", label: "A")])

    @Test("A menu without items is requested again later and later, and used at last")
    func empty() {
        var late = LateMenu()
        var delays: [Duration] = []
        while let delay = late.delay(after: SidebarMenu()) { delays.append(delay) }
        #expect(delays.count == 4 && delays == delays.sorted())
        #expect(late.delay(after: SidebarMenu()) == nil)
        late.startAfresh()
        #expect(late.delay(after: SidebarMenu()) == delays[0])
    }

    @Test("One with items is used at once, and the next without is another matter")
    func filled() {
        var late = LateMenu()
        let first = late.delay(after: SidebarMenu())
        _ = late.delay(after: SidebarMenu())
        #expect(late.delay(after: some) == nil)
        #expect(late.delay(after: SidebarMenu()) == first)
    }
}
