import RoundelBus
import Testing

@testable import BadgeEngine

@Suite("Pictures of providers")
struct PictureTests {
    private static let cloud = ProviderID("cloud")!

    private func picture(_ text: String, named name: String = "star") throws(Refusal) -> Picture {
        try Picture(Array(text.utf8), named: name, of: Self.cloud)
    }

    private static func svg(_ inside: String) -> String {
        #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">\#(inside)</svg>"#
    }

    /// With check sums of zeros, which nobody looks at here.
    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let length = UInt32(content.count)
        return (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + Array(name.utf8) + content
            + [0, 0, 0, 0]
    }

    private static func png(_ width: UInt8 = 64, _ height: UInt8 = 64, with more: [UInt8] = []) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", [0, 0, 0, width, 0, 0, 0, height, 8, 6, 0, 0, 0]) + more + chunk("IDAT", [1, 2, 3])
            + chunk("IEND", [])
    }

    @Test(
        "A plain drawing is accepted",
        arguments: [
            svg(""), svg(##"<path d="M0 0h8v8H0z" fill="#f00"/>"##),
            "\u{FEFF}<?xml version='1.0' encoding='UTF-8'?>\n<!-- a star -->\n" + svg("<title>a &amp; b</title>")
                + "\n",
            svg(##"<defs><linearGradient id="g"><stop offset="1"/></linearGradient></defs><g fill="url(#g)"/>"##),
            svg(##"<use xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="#a" style="fill:#fff;stroke:none"/>"##),
            Self.svg(String(repeating: "<g>", count: 31) + String(repeating: "</g>", count: 31)),
        ])
    func drawing(_ text: String) throws {
        let made = try picture(text)
        #expect(made.form == .drawing)
        #expect(made.directory == "scalable/emblems")
        #expect(made.file.hasPrefix("roundel-picture.cloud.star.") && made.file.hasSuffix(".svg"))
    }

    @Test(
        "A drawing that refers to something, runs something, grows without end or is damaged is refused",
        arguments: [
            "", "<svg", "<svg>", "text", "<svg/>x", "<svg/><svg/>", "<g></g>", svg("<g>"), svg("</g>"), svg("\0"),
            #"<!DOCTYPE svg [<!ENTITY a "aaaa">]>"# + svg(""), svg("&a;"), svg("<![CDATA[x]]>"),
            #"<?xml version="1.0" encoding="UTF-16"?>"# + svg(""), svg("<?xml-stylesheet href='a.css'?>"),
            "<?xml-stylesheet href='http://x/a.css'?>" + svg(""),
            svg("<script>alert(1)</script>"), svg("<foreignObject/>"), svg("<style>@import 'x'</style>"),
            svg(#"<image href="file:///etc/passwd"/>"#), svg("<text>long</text>"), svg("<filter/>"),
            svg(#"<g onload="x()"/>"#), svg(#"<use href="other.svg#a"/>"#), svg(##"<use href="&#104;ttp://x#a"/>"##),
            svg(#"<use HREF="http://x"/>"#), svg(#"<g fill="url(http://x)"/>"#), svg(#"<g fill="url('//x')"/>"#),
            svg(#"<g style="fill:URL( x )"/>"#), svg(#"<g style="fill:u\72l(x)"/>"#), svg(#"<g xml:base="http://x"/>"#),
            svg(#"<g fill="url(#a) url(x)"/>"#), svg(##"<g style="fill:u/**/rl(x)"/>"##), svg("<g fill=red/>"),
            svg(#"<g style="filter:blur(99999px)"/>"#), svg(#"<g style="mask:image-set('x' 1x)"/>"#),
            svg(String(repeating: ##"<use href="#a"/>"##, count: 17)),
            Self.svg(String(repeating: "<g>", count: 32) + String(repeating: "</g>", count: 32)),
            Self.svg(String(repeating: "<g/>", count: 2_000)),
        ])
    func noDrawing(_ text: String) {
        #expect(throws: Refusal.noPicture) { try picture(text) }
    }

    @Test("A square PNG is accepted in the sizes for which there are icons")
    func image() throws {
        let made = try Picture(Self.png(), named: "star", of: Self.cloud)
        #expect(made.form == .image(size: 64))
        #expect(made.directory == "64x64/emblems")
        #expect(made.file.hasSuffix(".png"))
    }

    @Test("Any other PNG is refused, and so is each that is cut off or goes on")
    func noImage() {
        let whole = Self.png()
        var others = [Self.png(64, 48), Self.png(65, 65), Self.png(0, 0), whole + [0]]
        others += [Self.png(with: Self.chunk("zTXt", [1])), Self.png(with: Self.chunk("iCCP", [1]))]
        others += [Self.png(with: Self.chunk("IHDR", [0, 0, 0, 64, 0, 0, 0, 64, 8, 6, 0, 0, 0]))]
        others += (0..<whole.count).map { Array(whole.prefix($0)) }
        // A length that is larger than any file.
        var long = whole
        long.replaceSubrange(33..<37, with: [0xFF, 0xFF, 0xFF, 0xFF])
        others.append(long)
        for bytes in others {
            #expect(throws: Refusal.noPicture) { try Picture(bytes, named: "star", of: Self.cloud) }
        }
    }

    @Test("Random bytes and random faults are judged without a crash")
    func random() throws {
        var generator = SystemRandomNumberGenerator()
        let whole = [Self.png(), Array(Self.svg(##"<g fill="url(#g)"><path d="M0"/></g>"##).utf8)]
        for round in 0..<2_000 {
            var bytes = whole[round % 2]
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            _ = try? Picture(bytes, named: "star", of: Self.cloud)
        }
    }

    @Test("The name is a part of a file's name, and another content has another icon")
    func names() throws {
        for name in ["", "..", "a/b", "a.b", "ä", String(repeating: "x", count: 65)] {
            #expect(throws: Refusal.badPictureName) { try picture(Self.svg(""), named: name) }
        }
        #expect(try picture(Self.svg(""), named: "A_b-9").icon.hasPrefix("roundel-picture.cloud.A_b-9."))
        #expect(try picture(Self.svg("")).icon != picture(Self.svg("<g/>")).icon)
    }

    @Test("A picture has 64 KiB at most")
    func large() throws {
        let text = Self.svg("")
        let room = Limits.pictureBytes - text.utf8.count
        #expect(try picture(Self.svg(String(repeating: " ", count: room))).form == .drawing)
        #expect(throws: Refusal.pictureTooLarge) { try picture(Self.svg(String(repeating: " ", count: room + 1))) }
    }

    // MARK: Of whom

    private static let drawing = Array(svg("").utf8)

    @Test("One with the name of another takes its place, and all go with their provider")
    func life() throws {
        var bench = Bench()
        let first = bench.registry(.storePicture(name: "star", Self.drawing))
        let old = try #require(stored(first))
        let other = Array(Self.svg("<g/>").utf8)
        let second = bench.registry(.storePicture(name: "star", other))
        let new = try #require(stored(second))
        #expect(second.contains(.removePictures([old.icon])))
        #expect(!bench.registry(.storePicture(name: "star", other)).contains(.removePictures([new.icon])))
        #expect(bench.send(.peerLeft("p1")).contains(.removePictures([new.icon])))
    }

    @Test("A provider has 64 of them, and may replace each")
    func number() {
        var bench = Bench()
        for number in 0..<Limits.pictures {
            #expect(stored(bench.registry(.storePicture(name: "star\(number)", Self.drawing))) != nil)
        }
        #expect(bench.registry(.storePicture(name: "more", Self.drawing)).errors == [.limitExceeded])
        #expect(stored(bench.registry(.storePicture(name: "star7", Self.drawing))) != nil)
    }

    @Test("A program that has not registered stores nothing")
    func stranger() {
        var bench = Bench(registered: false)
        #expect(bench.registry(.storePicture(name: "star", Self.drawing)).errors == [.notRegistered])
    }

    private func stored(_ actions: [Action]) -> Picture? {
        for case .storePicture(_, let picture) in actions { return picture }
        return nil
    }
}
