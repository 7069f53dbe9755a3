import Glibc
import Support
import SystemPackage
import TestSupport
import Testing

@testable import BadgeService

@Suite struct PictureThemeTests {
    private func entry(_ file: String, _ bytes: [UInt8]? = [1, 2], in directory: String = "scalable/emblems")
        -> PictureTheme.Entry
    {
        PictureTheme.Entry(directory: directory, file: file, bytes: bytes)
    }

    private func changed(_ path: FilePath) -> Int {
        var status = stat()
        _ = path.withPlatformString { lstat($0, &status) }
        return status.st_mtim.tv_sec
    }

    @Test func whatIsStoredIsThereAndNothingElseOfProviders() throws {
        let scratch = try TemporaryDirectory()
        let root = scratch.path.appending("icons").appending("hicolor")
        let theme = PictureTheme(root: root)
        let drawings = root.appending("scalable").appending("emblems")
        #expect(theme.replace(with: [entry("roundel-picture.a.x.1.svg")]) == nil)
        #expect(try SmallFile.read(drawings.appending("roundel-picture.a.x.1.svg"), limit: 9) == [1, 2])
        // What is installed there, or of a person, stays.
        try SmallFile.replace(drawings.appending("emblem-roundel-synced.svg"), with: [3])
        let large = entry("roundel-picture.b.y.2.png", [4], in: "64x64/emblems")
        #expect(theme.replace(with: [entry("roundel-picture.a.x.1.svg", nil), large]) == nil)
        #expect(try SmallFile.read(drawings.appending("roundel-picture.a.x.1.svg"), limit: 9) == [1, 2])
        #expect(theme.replace(with: []) == nil)
        let images = root.appending("64x64").appending("emblems")
        #expect(try SmallFile.read(images.appending("roundel-picture.b.y.2.png"), limit: 9) == nil)
        #expect(try SmallFile.read(drawings.appending("roundel-picture.a.x.1.svg"), limit: 9) == nil)
        #expect(try SmallFile.read(drawings.appending("emblem-roundel-synced.svg"), limit: 9) == [3])
    }

    /// Programs look for new icons where the date of the theme has changed.
    @Test func theDateOfTheThemeChangesWithWhatIsInIt() throws {
        let scratch = try TemporaryDirectory()
        let theme = PictureTheme(root: scratch.path)
        #expect(theme.replace(with: [entry("roundel-picture.a.x.1.svg")]) == nil)
        var long = [timespec(tv_sec: 1_000, tv_nsec: 0), timespec(tv_sec: 1_000, tv_nsec: 0)]
        #expect(scratch.path.withPlatformString { utimensat(AT_FDCWD, $0, &long, 0) } == 0)
        #expect(theme.replace(with: [entry("roundel-picture.a.x.1.svg", nil)]) == nil)
        #expect(changed(scratch.path) == 1_000)
        #expect(theme.replace(with: [entry("roundel-picture.a.x.1.svg")]) == nil)
        #expect(changed(scratch.path) != 1_000)
    }

    /// They compare the seconds of that date alone.
    @Test func changesWithinOneSecondGetDatesOfDifferentSeconds() throws {
        let scratch = try TemporaryDirectory()
        let theme = PictureTheme(root: scratch.path)
        var dates: Set<Int> = [changed(scratch.path)]
        for number in 1...4 {
            #expect(theme.replace(with: [entry("roundel-picture.a.x.\(number).svg")]) == nil)
            dates.insert(changed(scratch.path))
        }
        #expect(dates.count == 5)
        #expect(PictureTheme.date(after: 1_000, now: 2_000) == 2_000)
        #expect(PictureTheme.date(after: 2_000, now: 2_000) == 2_001)
        // Somebody had set the clock.
        #expect(PictureTheme.date(after: 3_000, now: 2_000) == 3_001)
    }

    @Test func aDiskThatTakesNothingIsSaid() throws {
        let scratch = try TemporaryDirectory()
        try SmallFile.replace(scratch.path.appending("icons"), with: [0])
        let theme = PictureTheme(root: scratch.path.appending("icons").appending("hicolor"))
        #expect(theme.replace(with: [entry("roundel-picture.a.x.1.svg")]) != nil)
        #expect(theme.replace(with: []) == nil)
    }
}
