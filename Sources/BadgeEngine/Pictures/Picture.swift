internal import RoundelBus

/// A picture of a provider's own, checked without being drawn, as an icon that every program of the session can find.
package struct Picture: Equatable, Sendable {
    /// How it is written.
    package enum Form: Equatable, Sendable {
        /// SVG.
        case drawing
        /// PNG, of so many pixels in each direction.
        case image(size: Int)
    }

    /// The bytes as the provider sent them.
    package let bytes: [UInt8]
    package let form: Form
    /// The icon's name. Another content has another name, since programs keep what they drew under a name.
    package let icon: String

    /// What the name of each such icon begins with, and of no icon that is installed.
    package static let prefix = "roundel-picture."

    /// - Parameter name: The provider's own, see ``isName(_:)``.
    /// - Throws: Why it is no picture that can be shown.
    init(_ bytes: [UInt8], named name: String, of provider: ProviderID) throws(Refusal) {
        guard Self.isName(name) else { throw .badPictureName }
        guard bytes.count <= Limits.pictureBytes else { throw .pictureTooLarge }
        if let size = PNGFile.size(of: bytes) {
            guard Self.sizes.contains(size) else { throw .noPicture }
            form = .image(size: size)
        } else {
            var file = SVGFile(bytes)
            guard file.isHarmless() else { throw .noPicture }
            form = .drawing
        }
        self.bytes = bytes
        icon = "\(Self.prefix)\(provider).\(name).\(Self.digest(bytes))"
    }

    /// The directory of an icon theme for it, which the theme `hicolor` declares.
    package var directory: String {
        switch form {
        case .drawing: "scalable/emblems"
        case .image(let size): "\(size)x\(size)/emblems"
        }
    }

    /// The name of its file.
    package var file: String {
        switch form {
        case .drawing: "\(icon).svg"
        case .image: "\(icon).png"
        }
    }

    /// All directories in which there may be one.
    package static var directories: [String] { ["scalable/emblems"] + sizes.map { "\($0)x\($0)/emblems" } }

    /// The sizes for which `hicolor` has directories of emblems.
    private static let sizes = [16, 22, 24, 32, 36, 48, 64, 72, 96, 128, 192, 256, 512]

    /// Letters, digits, hyphens and underscores, 64 at most.
    private static func isName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch UInt8(ascii: "A") <= byte ? byte | 0x20 : byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: byte == UInt8(ascii: "_")
                }
            }
    }

    /// FNV-1a: it tells versions of one provider's picture apart, and guards nothing.
    private static func digest(_ bytes: [UInt8]) -> String {
        let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
