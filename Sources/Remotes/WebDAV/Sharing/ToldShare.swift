internal import FoundationEssentials
internal import Remotes

/// A share as the server describes it.
struct ToldShare: Decodable {
    /// The kind of share that is a link.
    static let link = 3
    /// The permission to read, as a bit.
    static let read = 1
    /// The permissions to change, to create and to delete.
    private static let (change, create, delete) = (2, 4, 8)
    /// The permission to share further, as a bit; servers add it on their own.
    private static let shareFurther = 16

    var share_type: Int
    var permissions: Int
    var url: String?
    /// Contains the password of a link.
    var share_with: String?
    /// The recipient, as people call them.
    var share_with_displayname: String?
    var password: String?
    /// The path of the shared item in the account.
    var path: String?
    /// The day on which it ends, with a time.
    var expiration: String?
    /// When it was made, in seconds since 1970.
    var stime: Int64?
    private var file_source: Number?
    private var item_source: Number?
    private let identifier: Number?

    private enum CodingKeys: String, CodingKey {
        case share_type, permissions, url, share_with, share_with_displayname, password, path, expiration, stime
        case file_source, item_source
        case identifier = "id"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        share_type = try values.decode(Int.self, forKey: .share_type)
        permissions = try values.decode(Int.self, forKey: .permissions)
        url = try values.decodeIfPresent(String.self, forKey: .url)
        share_with = try values.decodeIfPresent(String.self, forKey: .share_with)
        share_with_displayname = try? values.decodeIfPresent(String.self, forKey: .share_with_displayname)
        password = try values.decodeIfPresent(String.self, forKey: .password)
        path = try values.decodeIfPresent(String.self, forKey: .path)
        expiration = try values.decodeIfPresent(String.self, forKey: .expiration)
        stime = try? values.decodeIfPresent(Int64.self, forKey: .stime)
        file_source = try values.decodeIfPresent(Number.self, forKey: .file_source)
        item_source = try values.decodeIfPresent(Number.self, forKey: .item_source)
        identifier = try values.decodeIfPresent(Number.self, forKey: .identifier)
    }

    /// What identifies the share at the server.
    var id: String? { identifier?.text }
    /// The number of the shared item.
    var number: String? { (file_source ?? item_source)?.text }

    /// The last day on which it works, as `2026-11-28`; nil if it does not end.
    var lastDay: String? { expiration.map { String($0.prefix(10)) } }

    /// Whether it works no longer than to this day.
    func ends(by day: String?) -> Bool {
        guard let day else { return true }
        return lastDay.map { $0 <= day } ?? false
    }

    /// Whether it shares the item at this path with this number, as far as the server says what it shares.
    func isOf(_ meant: String, _ number: String?) -> Bool {
        if let own = self.number, let number { return own == number }
        return path.map { $0 == meant } ?? true
    }

    /// Whether it is a link without a password that allows no more than to read.
    var isPlain: Bool {
        share_type == Self.link && permissions & ~Self.shareFurther == Self.read && !hasPassword
    }

    /// Whether a link needs a password.
    var hasPassword: Bool { share_type == Self.link ? share_with != nil || password != nil : password != nil }

    /// The kind; nil for one that is not made here.
    var kind: ShareKind? { ShareKind.allCases.first { Self.type(of: $0) == share_type } }

    /// What it allows; nil for what fits no word.
    var rights: ShareRights? {
        let allowed = permissions & ~Self.shareFurther
        if allowed == Self.read { return .view }
        if allowed == Self.create { return .upload }
        return allowed & Self.read != 0 ? .edit : nil
    }

    /// Whether it allows nothing beyond these rights.
    func isWithin(_ rights: ShareRights, isDirectory: Bool) -> Bool {
        permissions & ~(Self.permissions(rights, isDirectory: isDirectory) | Self.shareFurther) == 0
            && permissions & Self.permissions(rights, isDirectory: isDirectory) != 0
    }

    /// The number that the interface has for a kind.
    static func type(of kind: ShareKind) -> Int {
        switch kind {
        case .user: 0
        case .group: 1
        case .link: link
        }
    }

    /// The bits that the interface has for rights.
    static func permissions(_ rights: ShareRights, isDirectory: Bool) -> Int {
        switch rights {
        case .view: read
        case .edit: isDirectory ? read | change | create | delete : read | change
        case .upload: create
        }
    }
}

/// A number, which servers write as a number or as text.
struct Number: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let number = try? value.decode(UInt64.self) {
            text = "\(number)"
        } else {
            text = try value.decode(String.self)
        }
    }
}
