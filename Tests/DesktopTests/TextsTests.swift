import Testing

@testable import Desktop

@Suite("Texts")
struct TextsTests {
    @Test("A number chooses the form of its sentence")
    func plurals() {
        #expect(TrayAppearance.needAttention(1) == "1 folder needs your attention")
        #expect(TrayAppearance.needAttention(2) == "2 folders need your attention")
        #expect(TrayAppearance.syncing(1, percent: nil) == "Syncing 1 folder")
        #expect(TrayAppearance.syncing(3, percent: 7) == "Syncing 3 folders, 7 %")
        #expect(NotificationContent.actionsFailed(0) == "0 actions failed")
    }
}
