import RoundelBus
import Testing

@testable import BadgeEngine

@Suite("Refusals")
struct RefusalTests {
    @Test("A refusal is a whole sentence, which names items as people write them")
    func refusals() throws {
        let id = try #require(ProviderID("cloud"))
        let item = Bench.folder
        let refusals: [Refusal] = [
            .notObserving(item), .tooManyNames, .tooManyNamesKept, .tooManyDirectories, .noSuchMenu(kind: 7),
            .tooManySelected, .menuExpired, .menuProviderEnded(id), .noSuchMenuItem("x"), .menuItemDisabled("x"),
            .tooManyActions(3), .alreadyDecided(item), .noSuchService(item, interface: "a.b"), .callerLeft,
            .providerNotRunning(id), .providerLate(id), .wrongAnswer(id), .failed(id), .changesRefused(id),
            .switchedOff(id), .unknownProvider("x"), .providerRunning(id), .notRegistered, .registrationLost(id),
            .badProviderID, .idTaken(id), .appAsks("Cloud"), .appIsOff("Cloud"), .appHasID(id), .tooManyStrangers(id),
            .tooManyCallsWait, .tooManyBadgeImages,
            .tooManyPictures, .pictureTooLarge, .badPictureName, .noPicture, .pictureNotStored("disk full"),
            .tooMuchImageText, .tooMuchNoticeText, .tooManyBadges, .tooMuchWaits,
            .badgeTaken(.synced, id), .badProgress, .unequalColumns, .tooManyRows, .nothingOwned(item, id),
            .notYourFolder(item, id), .rootFolder, .fileAsFolder(item), .symlinkAsFolder(item), .tooManyFolders,
            .tooMuchSelected, .tooManyKeys, .keyTooLong, .textTooLong, .pathTooLong, .tooManyServices,
            .iconIsPath("/x"),
            .folderTaken(item, by: id), .folderTwice, .folderInside(item, id),
            .notAFolderOf(item, id), .tooManyConsents, .consentNeeded(item),
        ]
        for refusal in refusals {
            let error = refusal.error { _ in "~/Cloud" }
            #expect(error.code == refusal.code)
            #expect(!error.message.contains("{") && !error.message.contains("file://"), "\(error.message)")
            #expect(error.message.hasSuffix(".") && !error.message.contains("roundel "), "\(error.message)")
        }
        #expect(Refusal.notYourFolder(item, id).error { _ in "~/Cloud" }.message.hasPrefix("~/Cloud is not one"))
        let seconds = Limits.attributePatience.components.seconds
        #expect(
            Refusal.providerLate(id).error { $0.path }.message
                == "The provider cloud did not answer within \(seconds) seconds.")
    }
}
