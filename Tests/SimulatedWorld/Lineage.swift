/// Which versions of a simulated history came from which others.
struct Lineage {
    /// Which versions a version was written over, and in whose place it was put.
    private var writtenOver: [Int: Set<Int>] = [:]
    private var takenOver: [Int: Set<Int>] = [:]

    /// A version was written over another one.
    mutating func write(_ number: Int, over old: Int) { writtenOver[number, default: []].insert(old) }

    /// An item was put in the place of another one.
    mutating func takeOver(_ number: Int, from old: Int) { takenOver[number, default: []].insert(old) }

    /// Of what both sides hold nothing is a version of another item any more, whatever names they had, nor by versions in
    /// between that are gone.
    mutating func forget(amongst numbers: Set<Int>) {
        for number in numbers {
            for old in versions(upTo: number) { writtenOver[old]?.subtract(numbers) }
            takenOver[number]?.subtract(numbers)
        }
    }

    /// A version and all that it was written over.
    func versions(upTo number: Int) -> Set<Int> {
        var seen: Set<Int> = [number]
        var stack = [number]
        while let next = stack.popLast() {
            let below = (writtenOver[next] ?? []).subtracting(seen)
            stack += below
            seen.formUnion(below)
        }
        return seen
    }

    /// In whose place it was put.
    func predecessors(of number: Int) -> Set<Int> { takenOver[number] ?? [] }

    /// Everything in whose place, or with whose number, something else stood.
    var takenFor: Set<Int> {
        var all: Set<Int> = []
        for old in takenOver.values.reduce(into: Set(), { $0.formUnion($1) }) { all.formUnion(versions(upTo: old)) }
        return all
    }

    /// Whether a version is, or was written over, or put in the place of, another one.
    func isAbove(_ number: Int, _ old: Int, alsoPlaces: Bool) -> Bool {
        var seen: Set<Int> = [number]
        var stack = [number]
        while let next = stack.popLast() {
            if next == old { return true }
            var below = writtenOver[next] ?? []
            if alsoPlaces { below.formUnion(predecessors(of: next)) }
            stack += below.subtracting(seen)
            seen.formUnion(below)
        }
        return false
    }
}
