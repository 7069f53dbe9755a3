import DBus
import Glibc
import RoundelBus
import TestSupport
import Testing

/// The pictures of providers in the person's icon theme, with the sample provider, which has one.
@Suite struct StoredPictureTests {
    private let world: World
    private let host: HostClient
    private let provider: RunningProgram

    init() throws {
        world = try World()
        host = try world.host()
        provider = try world.installation.start("sample-provider", [try world.makeFolder("Sample")])
    }

    private var pictures: [String] {
        let drawings = "\(world.installation.root)/data/icons/hicolor/scalable/emblems"
        return ((try? Disk.names(drawings)) ?? []).filter { $0.hasPrefix("roundel-picture.sample.star.") }
    }

    private func awaitPicture(_ host: HostClient) throws {
        try world.until("hosts know the picture") {
            try host.icon(of: "sample.starred").map { pictures == ["\($0).svg"] } ?? false
        }
    }

    @Test("A picture is there as long as its provider, and again after each end of the service")
    func life() throws {
        try awaitPicture(host)
        // The service that was killed left it; the next one removes it, and gets it anew.
        try world.restartService()
        try awaitPicture(try world.host())
        provider.kill()
        try world.until("the picture is gone with its provider") { pictures.isEmpty }
    }

    @Test("A service that ends as it is told leaves no picture, and one that does not become the service removes none")
    func end() throws {
        try awaitPicture(host)
        #expect(try world.installation.start("roundeld").wait() == 1)
        #expect(pictures.count == 1)
        world.service?.signal(SIGTERM)
        #expect(try world.service?.wait() == 0)
        #expect(pictures.isEmpty)
    }

    @Test("A service that takes another's place has the pictures")
    func replaced() throws {
        try awaitPicture(host)
        let first = try #require(world.service)
        try world.startService(["--replace"])
        #expect(try first.wait() == 0)
        try awaitPicture(host)
    }
}
