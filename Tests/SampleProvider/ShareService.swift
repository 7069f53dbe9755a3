import DBus
import RoundelBus

/// What the sample provider offers hosts beyond the Host interface: a link to an item, made for whoever asks.
///
/// A host finds it with GetItemService and calls it itself; the badge service has no part in that.
enum ShareService {
    static let name = "org.roundel.Sample1.Share"
    static let path: ObjectPath = "/org/roundel/Sample1/Share"

    /// - Parameter isOwn: whether an item is in one of the provider's folders.
    static func make(isOwn: @escaping (ItemURI) -> Bool) -> Interface {
        Interface(
            name,
            methods: [
                Interface.Method("Link", in: [("uri", "s"), ("days", "u")], out: [("link", "s")]) { call in
                    var reader = call.reader
                    let item = try reader.readItemURI()
                    let days = try reader.readUInt32()
                    guard isOwn(item) else {
                        let sentence = "“\(item.uri)” is in none of the sample's folders."
                        return call.fail(DBusError(RoundelError(.notYourFolder, sentence)))
                    }
                    let name = item.name?.encoded ?? ""
                    call.reply { try $0.append("https://sample.example/\(name)?days=\(days)&for=\(call.sender)") }
                }
            ])
    }
}
