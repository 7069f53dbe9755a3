import Foundation

@testable import SyncService

/// The text of settings as a person writes it.
enum SettingsText {
    static func parse(_ text: String) throws -> SettingsValue {
        try JSONDecoder().decode(SettingsValue.self, from: Data(text.utf8))
    }

    static func text(of value: SettingsValue) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }
}
