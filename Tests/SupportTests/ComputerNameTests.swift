import Support
import Testing

@Suite("The name of this computer")
struct ComputerNameTests {
    @Test(
        "D7: the name in names of files is short and plain, and none where every computer is called so",
        arguments: [
            ("desk", "desk"), ("Desk-2_b.example.org", "Desk-2_b"), ("localhost", ""), ("LOCALHOST.localdomain", ""),
            ("", ""), (".x", ""), ("a b", ""), ("a/b", ""), ("büro", ""), ("a)", ""),
            ("abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwx"),
        ])
    func label(host: String, label: String) {
        #expect(ComputerName.label(of: host) == label)
    }
}
