import Foundation
import SyncCore
import TestSupport
import Testing

@testable import SyncService

/// What the settings file says of folders on demand, and what menus say.
@Suite struct OnDemandSettingsTests {
    private func read(_ text: String) throws -> FolderSettings {
        try JSONDecoder().decode(
            FolderSettings.self,
            from: Data(#"{"id":"f1","uri":"file:///home/p/Cloud","remote":"/r"\#(text)}"#.utf8))
    }

    @Test("A folder is on demand if its entry says so, with the usual values where nothing is said")
    func reading() throws {
        #expect(try !read("").isOnDemand)
        let plain = try read(#","onDemand":{}"#)
        #expect(plain.isOnDemand && plain.onDemand?.freeingRule == nil && plain.onDemand?.step == nil)
        let ruled = try read(#","onDemand":{"freeBelow":1000,"freeUnused":60,"step":"turning-off"}"#)
        #expect(ruled.onDemand?.freeingRule == FreeingRule(roomToKeep: 1_000, longestUnused: 60))
        #expect(ruled.onDemand?.step == .turningOff)
        #expect(try read(#","onDemand":{"freeBelow":0,"freeUnused":-1}"#).onDemand?.freeingRule == nil)
    }

    @Test("Settings are written as they are read")
    func writing() throws {
        let settings = try read(#","onDemand":{"contents":"file:///c/f1","freeBelow":5}"#)
        let again = try JSONDecoder().decode(FolderSettings.self, from: try JSONEncoder().encode(settings))
        #expect(again == settings)
    }
}
