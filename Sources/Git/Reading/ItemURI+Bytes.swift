package import RoundelBus
internal import Support

extension ItemURI {
    /// The bytes of the path.
    package var pathBytes: [UInt8] { PercentCoding.decode(path) ?? [] }

    /// The bytes of the path of an item below this one; empty for this one itself.
    func relativeBytes(of item: ItemURI) -> [UInt8] {
        let own = isRoot ? 0 : pathBytes.count
        return Array(item.pathBytes.dropFirst(own + (item == self ? 0 : 1)))
    }
}
