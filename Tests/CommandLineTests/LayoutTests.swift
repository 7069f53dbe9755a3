import RoundelBus
import Testing

@testable import roundel

@Suite struct LayoutTests {
    static let terminal = Terminal(isInteractive: true, hasColour: false, hasUnicode: true, columns: 40)

    @Test func columnsAlignByDisplayWidth() {
        var table = Table([.left, .right, .left])
        table.append([.init("日本"), .init("1"), .init("x")])
        table.append([.init("abc"), .init("200"), .init("y")])
        table.append([.init("e\u{301}"), .init(""), .init("z")])
        #expect(
            table.lines(on: .plain) == [
                "日本    1  x",
                "abc   200  y",
                "e\u{301}          z",
            ])
    }

    @Test func emptyColumnsTakeNoRoomAndLinesEndWithoutSpaces() {
        var table = Table([.left, .left, .left])
        table.append([.init("a"), .init(""), .init("long")])
        table.append([.init("bb"), .init(""), .init("")])
        #expect(table.lines(on: .plain) == ["a   long", "bb"])
    }

    @Test func aNameCannotForgeALine() {
        var table = Table([.left])
        table.append([.init("a\nb")])
        #expect(table.lines(on: .plain) == ["a\\nb"])
    }

    @Test func theLastColumnIsCutOnANarrowTerminalOnly() {
        var table = Table([.left, .left])
        table.append([.init("state"), .init(String(repeating: "n", count: 60))])
        let narrow = table.lines(on: LayoutTests.terminal)
        #expect(narrow.map { DisplayWidth.of($0) } == [40])
        #expect(narrow[0].hasSuffix("…"))
        #expect(table.lines(on: .plain)[0].count == 67)
    }

    @Test func theFlexibleColumnGivesWayToThoseBehindIt() {
        var table = Table([.left, .left, .left], flexible: 1)
        table.append([.init("state"), .init(String(repeating: "日", count: 30)), .init("50 %")])
        let line = table.lines(on: LayoutTests.terminal)[0]
        #expect(DisplayWidth.of(line) <= 40)
        #expect(line.hasSuffix("50 %") && line.contains("…"))
    }

    @Test func aPathLosesItsMiddle() {
        var table = Table([.left, .left, .left], flexible: 1)
        let path = "~/Documents/" + String(repeating: "deep/", count: 20) + "Letter to Eva.odt"
        table.append([.init("state"), .init(path, isPath: true), .init("50 %")])
        let line = table.lines(on: LayoutTests.terminal)[0]
        #expect(DisplayWidth.of(line) == 40)
        #expect(line.contains("~/Docu") && line.contains("…") && line.contains("Eva.odt") && line.hasSuffix("50 %"))
        for columns in 0...30 {
            let cut = DisplayWidth.truncateMiddle("~/日本語/ファイル/とても長い名前.txt", to: columns, ellipsis: "…")
            #expect(DisplayWidth.of(cut) <= columns, "\(cut)")
        }
        #expect(DisplayWidth.truncateMiddle("~/abc", to: 5, ellipsis: "…") == "~/abc")
    }

    @Test func colourIsWrittenOnlyWhereItIsWanted() {
        #expect(Style.red.apply(to: "x", on: .plain) == "x")
        let colourful = Terminal(isInteractive: true, hasColour: true, hasUnicode: true, columns: 80)
        #expect(Style.red.apply(to: "x", on: colourful) == "\u{1B}[31mx\u{1B}[0m")
    }

    @Test func barsAreDrawnOnATerminalOnly() {
        #expect(ProgressBar.text(50, on: .plain) == "50 %")
        for percent in UInt8(0)...100 {
            let bar = ProgressBar.text(percent, width: 12, on: LayoutTests.terminal)
            #expect(DisplayWidth.of(bar) == 18)
            #expect(bar.hasSuffix("\(percent) %"))
        }
        #expect(ProgressBar.text(100, width: 4, on: LayoutTests.terminal).hasPrefix("████ "))
        #expect(ProgressBar.text(0, width: 4, on: LayoutTests.terminal).hasPrefix("░░░░ "))
    }

    @Test(arguments: [
        (["TERM": "xterm"], true, true), (["TERM": "dumb"], false, false), ([:], false, false),
        (["TERM": "xterm", "NO_COLOR": "1"], true, false), (["TERM": "xterm", "NO_COLOR": ""], true, true),
    ])
    func theEnvironmentDecidesOverColourAndBars(environment: [String: String], interactive: Bool, colour: Bool) {
        let terminal = Terminal(isTerminal: true, windowColumns: 100) { environment[$0] }
        #expect(terminal.isInteractive == interactive)
        #expect(terminal.hasColour == colour)
        let file = Terminal(isTerminal: false, windowColumns: nil) { environment[$0] }
        #expect(!file.isInteractive && !file.hasColour && file.columns == nil)
    }

    @Test func glyphsFallBackToASCIIWhereTheLocaleIsNotUTF8() {
        for (locale, unicode) in [("C", false), ("de_DE.UTF-8", true), ("en_US.utf8", true), ("POSIX", false)] {
            let terminal = Terminal(isTerminal: true, windowColumns: nil) { ["TERM": "xterm", "LC_ALL": locale][$0] }
            #expect(terminal.hasUnicode == unicode)
            #expect(BadgeAppearance.of("synced").glyph(on: terminal) == (unicode ? "✓" : "+"))
        }
    }

    @Test func columnsComeFromTheVariableBeforeTheWindow() {
        let given = Terminal(isTerminal: true, windowColumns: 100) { ["TERM": "xterm", "COLUMNS": "60"][$0] }
        #expect(given.columns == 60)
        let window = Terminal(isTerminal: true, windowColumns: 100) { ["TERM": "xterm", "COLUMNS": "zero"][$0] }
        #expect(window.columns == 100)
    }

    @Test func theBundledBadgesDifferInEveryAlphabet() {
        let all = (Badge.common + ["other.own"]).map(BadgeAppearance.of)
        #expect(Set(all.map(\.glyph)).count == all.count)
        #expect(Set(all.map(\.asciiGlyph)).count == all.count)
        #expect(all.allSatisfy { DisplayWidth.of($0.glyph) == 1 && $0.asciiGlyph.utf8.count == 1 })
    }
}
