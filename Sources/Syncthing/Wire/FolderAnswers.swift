internal import Support

/// How much of a folder is where, from `/rest/db/status`.
struct FolderCounts: Equatable, Sendable {
    /// What the folder does, in Syncthing's word.
    var state = ""
    /// What is wrong with the whole folder; "" for nothing.
    var problem = ""
    /// The items that all devices should have.
    var globalItems: UInt64 = 0
    var globalBytes: UInt64 = 0
    var inSyncBytes: UInt64 = 0
    var neededItems: UInt64 = 0
    var neededBytes: UInt64 = 0
    /// Items of which the last attempt to receive them failed.
    var failedItems: UInt64 = 0
    /// Items that were changed in a folder that sends nothing.
    var changedHereOnly: UInt64 = 0

    init() {}

    init(_ answer: JSON) {
        state = answer["state"].string ?? ""
        problem = answer["error"].string ?? answer["invalid"].string ?? ""
        globalItems = answer["globalTotalItems"].count
        globalBytes = answer["globalBytes"].count
        inSyncBytes = answer["inSyncBytes"].count
        neededItems = answer["needTotalItems"].count
        neededBytes = answer["needBytes"].count
        failedItems = answer["pullErrors"].count
        changedHereOnly = answer["receiveOnlyTotalItems"].count
    }
}

/// What a device lacks of a folder, from `/rest/db/completion`.
struct Completion: Equatable, Sendable {
    var neededItems: UInt64
    var neededBytes: UInt64

    init(neededItems: UInt64, neededBytes: UInt64) {
        (self.neededItems, self.neededBytes) = (neededItems, neededBytes)
    }

    init(_ answer: JSON) {
        // Each may be any number: the sum stops at the greatest.
        let (sum, overflow) = answer["needItems"].count.addingReportingOverflow(answer["needDeletes"].count)
        neededItems = overflow ? .max : sum
        neededBytes = answer["needBytes"].count
    }
}

/// The first page of the items that this computer or another device lacks.
struct NeededItems: Equatable, Sendable {
    /// The paths below the folder.
    var names: [String]
    /// Those of them that are being received now.
    var started: [String]
    /// Whether there may be more.
    var isPartial: Bool

    /// The number of items that are asked for.
    static let most = 1_000

    init(names: [String], started: [String] = [], isPartial: Bool = false) {
        (self.names, self.started, self.isPartial) = (names, started, isPartial)
    }

    /// Reads the answer of `/rest/db/need` or `/rest/db/remoteneed`.
    init(_ answer: JSON) {
        func names(_ key: String) -> [String] { answer[key].values.compactMap { $0["name"].string } }
        started = names("progress")
        self.names = started + names("queued") + names("rest") + names("files")
        isPartial = self.names.count >= Self.most
    }
}

/// An item that could not be received.
struct FailedItem: Equatable, Sendable {
    let name: String
    /// Syncthing's own words.
    let reason: String

    /// Reads the errors of `/rest/folder/errors` or the event FolderErrors.
    static func list(_ answer: JSON) -> [FailedItem] {
        answer["errors"].values.compactMap { item in
            item["path"].string.map { FailedItem(name: $0, reason: item["error"].string ?? "") }
        }
    }
}

/// The progress of a transfer in bytes.
struct TransferProgress: Equatable, Sendable {
    var done: UInt64
    var total: UInt64

    /// 0 to 100. A hundred times the bytes may not fit an integer.
    var percent: UInt8 {
        if total == 0 { return 0 }
        return done >= total ? 100 : min(99, UInt8(Double(done) * 100 / Double(total)))
    }
}

/// A version of Syncthing.
struct SyncthingVersion: Comparable, Sendable {
    let major: Int
    let minor: Int

    /// The oldest that the engine was tried with.
    static let oldest = SyncthingVersion(major: 1, minor: 19)

    init(major: Int, minor: Int) { (self.major, self.minor) = (major, minor) }

    /// Reads for example `v1.19.2-ds1`.
    init?(_ text: String) {
        let parts = text.drop { $0 == "v" }.split(separator: ".")
        guard parts.count >= 2, let major = Int(parts[0]), let minor = Int(parts[1].prefix { $0.isNumber }) else {
            return nil
        }
        self.init(major: major, minor: minor)
    }

    static func < (left: SyncthingVersion, right: SyncthingVersion) -> Bool {
        (left.major, left.minor) < (right.major, right.minor)
    }
}
