internal import RoundelBus

/// How many selected items are of which types of data.
///
/// A name alone may leave several types open, and often all: such an item counts for a rule where that admits the
/// selection, and never against it.
struct TypeCensus {
    /// The number of items by the types that each can have; under no type those of which none is known.
    private var counts: [[DataType]: Int] = [:]

    /// Of a selection of which nothing is known.
    init(unknown count: Int) {
        if count > 0 { counts[[]] = count }
    }

    /// - Parameter types: The types that each item can have, if it is a file.
    init(_ selection: [ItemURI], isDirectory: [ItemURI: Bool], types: [ItemURI: [DataType]]) {
        for item in selection {
            switch isDirectory[item] {
            case true: counts[[.directory], default: 0] += 1
            case false: counts[types[item] ?? [], default: 0] += 1
            case nil: counts[[], default: 0] += 1
            }
        }
    }

    /// Whether each item can be of one of these types, and for each rule the number of its items can be right.
    func canBe(_ rules: [TypeRule]) -> Bool {
        let isNamed = counts.keys.allSatisfy { types in
            types.isEmpty || types.contains { type in rules.contains { $0.covers(type) } }
        }
        return isNamed && rules.allSatisfy(hasNumber)
    }

    private func hasNumber(_ rule: TypeRule) -> Bool {
        var (certain, possible) = (0, 0)
        for (types, count) in counts {
            let covered = types.count(where: rule.covers)
            if covered > 0 || types.isEmpty { possible += count }
            if covered > 0 && covered == types.count { certain += count }
        }
        return possible >= Int(rule.min) && (rule.max.map { certain <= Int($0) } ?? true)
    }
}
