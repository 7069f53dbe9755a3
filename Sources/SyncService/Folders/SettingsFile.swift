internal import Foundation
internal import Glibc
internal import RoundelBus
internal import Support
internal import SystemPackage

/// The worker's settings and their file, which a person may edit meanwhile: a change is merged into what the file says
/// then, by key. A change that cannot be saved has no effect: callers apply a change only after it was saved.
struct SettingsFile {
    /// The settings at the time of the last read or change.
    private(set) var current: WorkerSettings
    private let path: FilePath
    /// What the file said then; nil if there was none.
    private var text: SettingsValue?
    private var seen: Version?

    /// Reads the file; new settings if there is none.
    init(_ path: FilePath) throws(WorkerError) {
        self.path = path
        seen = Version(path)
        text = try WorkerSettings.read(path)
        current = try text.map { value throws(WorkerError) in try WorkerSettings(value, in: path) } ?? WorkerSettings()
    }

    /// Reads the file again if somebody else changed it. If it is missing, the settings stay as they were.
    /// - Throws: A sentence if it cannot be read or parsed now; the settings stay as they were.
    mutating func refresh() throws(WorkerError) {
        let version = Version(path)
        guard version != seen else { return }
        guard let value = try WorkerSettings.read(path) else { return }
        current = try WorkerSettings(value, in: path)
        (text, seen) = (value, version)
    }

    /// Changes the settings and saves them, durably.
    /// - Throws: A sentence if the file cannot be saved, or not be read, because it is not overwritten then.
    mutating func change(_ body: (inout WorkerSettings) -> Void) throws(WorkerError) {
        try refresh()
        var changed = current
        body(&changed)
        if changed == current { return }
        let before: SettingsValue
        let after: SettingsValue
        do {
            before = try SettingsValue(describing: current)
            after = try SettingsValue(describing: changed)
        } catch {
            throw .settingsNotSaved(path, because: "\(error)")
        }
        // Keys that this program does not know are in the file alone.
        let value = SettingsValue.merged(base: before, theirs: text ?? before, ours: after) ?? after
        try WorkerSettings.save(value, path)
        (current, text, seen) = (changed, value, Version(path))
    }

    /// Changes the settings of one folder; does nothing if the file does not have it any more.
    ///
    /// - Parameters:
    ///   - before: The settings from which `after` was made.
    mutating func change(_ before: FolderSettings, to after: FolderSettings) throws(WorkerError) {
        try refresh()
        guard let index = current.folders.firstIndex(where: { $0.id == before.id }) else { return }
        let theirs = current.folders[index]
        let merged: FolderSettings
        do {
            merged = try SettingsValue.mergedSettings(base: before, theirs: theirs, ours: after)
        } catch {
            throw .settingsNotSaved(path, because: "\(error)")
        }
        try change { $0.folders[index] = merged }
    }

    /// What distinguishes one state of a file from another without reading it.
    private struct Version: Equatable {
        private let facts: [Int64]

        /// Nil if there is no file.
        init?(_ path: FilePath) {
            var status = stat()
            guard path.withPlatformString({ stat($0, &status) }) == 0 else { return nil }
            facts = [
                Int64(bitPattern: UInt64(status.st_dev)), Int64(bitPattern: UInt64(status.st_ino)),
                Int64(status.st_size), Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec),
                Int64(status.st_ctim.tv_sec), Int64(status.st_ctim.tv_nsec),
            ]
        }
    }
}

extension WorkerSettings {
    /// The maximum size of the file in bytes.
    private static let limit = 16 << 20

    /// The contents of the file; nil if there is none.
    /// - Throws: A sentence if the file cannot be read or parsed, or a symbolic link on the way to it leads nowhere, so
    ///   that the user's settings are not overwritten.
    fileprivate static func read(_ path: FilePath) throws(WorkerError) -> SettingsValue? {
        do {
            guard let bytes = try SmallFile.read(path, limit: limit) else {
                if let link = SmallFile.danglingLink(on: path) {
                    throw WorkerError(
                        .failed,
                        tr(
                            """
                            The settings cannot be read: “{1}” is a symbolic link, and what it leads to is missing. \
                            Bring that back, or remove the link, then start again.
                            """, ShownPath.short(link)))
                }
                return nil
            }
            return try JSONDecoder().decode(SettingsValue.self, from: Data(bytes))
        } catch let error as WorkerError {
            throw error
        } catch {
            throw .settingsUnreadable(path, because: reason(error))
        }
    }

    fileprivate init(_ value: SettingsValue, in path: FilePath) throws(WorkerError) {
        do {
            self = try value.decoded()
        } catch {
            throw .settingsUnreadable(path, because: Self.reason(error))
        }
    }

    /// Replaces the file, durably; through a symbolic link, the file that it leads to.
    fileprivate static func save(_ value: SettingsValue, _ path: FilePath) throws(WorkerError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            let bytes = Array(try encoder.encode(value))
            try SmallFile.replace(try SmallFile.throughLinks(path), with: bytes)
        } catch {
            throw .settingsNotSaved(path, because: "\(error)")
        }
    }

    /// Which value of the file is wrong, and how.
    private static func reason(_ error: any Error) -> String {
        func place(_ path: [any CodingKey]) -> String { path.map(\.stringValue).joined(separator: ".") }
        return switch error as? DecodingError {
        case .keyNotFound(let key, let context):
            tr("“{1}” is missing", place(context.codingPath + [key]))
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            tr("“{1}” has a value of another type", place(context.codingPath))
        case .dataCorrupted: tr("it is not JSON")
        case nil, .some: "\(error)"
        }
    }

    /// Writes these settings alone, durably.
    func save(_ path: FilePath) throws(WorkerError) {
        do {
            try Self.save(try SettingsValue(describing: self), path)
        } catch let error as WorkerError {
            throw error
        } catch {
            throw .settingsNotSaved(path, because: "\(error)")
        }
    }

    /// Reads the file; new settings if there is none.
    static func load(_ path: FilePath) throws(WorkerError) -> WorkerSettings { try SettingsFile(path).current }
}

extension WorkerError {
    fileprivate static func settingsUnreadable(_ path: FilePath, because why: String) -> WorkerError {
        WorkerError(
            .failed,
            tr(
                "The settings {1} cannot be read ({2}). Fix the file or move it aside, then start again.",
                ShownPath.short(path), why))
    }

    fileprivate static func settingsNotSaved(_ path: FilePath, because why: String) -> WorkerError {
        WorkerError(
            .failed, tr("The settings {1} cannot be saved: {2}. Check that it is writable.", ShownPath.short(path), why)
        )
    }
}
