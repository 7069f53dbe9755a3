import Glibc
import RoundelBus
import TestSupport
import Testing

/// Nothing that anybody sends ends the service, stays without an answer or leaves something behind.
///
/// `make fuzz` plays this for longer, against a service with AddressSanitizer: `ROUNDEL_FUZZ_SECONDS` says how long, and
/// `ROUNDEL_FUZZ_SERVICE` is the path of another roundeld.
@Suite struct FuzzTests {
    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    @Test("Random calls of every member of roundeld: it lives, answers each, and its memory does not grow")
    func everyMember() throws {
        let seconds = Self.variable("ROUNDEL_FUZZ_SECONDS").flatMap { Int($0) } ?? 30
        let fuzzer = try Fuzzer(
            SeededRandom(for: "fuzz"), program: Self.variable("ROUNDEL_FUZZ_SERVICE").flatMap { $0.isEmpty ? nil : $0 })
        try fuzzer.run(for: .seconds(seconds))
        print("fuzz: \(fuzzer.calls) calls of \(fuzzer.called.count) members, \(fuzzer.refusals) refused")
        for interface in [
            Names.host, Names.registry, Names.providers, "com.canonical.dbusmenu", "org.kde.StatusNotifierItem",
            "org.gtk.Menus", "org.gtk.Actions", "org.freedesktop.DBus.Properties",
        ] { #expect(fuzzer.called.contains { $0.hasPrefix(interface + ".") }, "\(interface) was not called") }
    }
}
