import CLinux
import Glibc

/// A growing array in a memory mapping of its own.
///
/// Growth moves pages instead of copying them and untouched capacity costs nothing, so a tree of many thousand
/// directories takes what it needs and gives it back to the system at the end.
struct MappedArray<Element: BitwiseCopyable>: ~Copyable {
    private var base: UnsafeMutablePointer<Element>
    private var bytes: Int
    private(set) var count = 0

    init(minimumCapacity: Int = 1) {
        bytes = Self.roundedUp(minimumCapacity * MemoryLayout<Element>.stride)
        base = Self.map(bytes)
    }

    /// An array of `count` elements whose bytes are all zero.
    init(zeroed count: Int) {
        self.init(minimumCapacity: count)
        self.count = count
    }

    deinit {
        munmap(base, bytes)
    }

    var capacity: Int { bytes / MemoryLayout<Element>.stride }

    subscript(index: Int) -> Element {
        get {
            precondition(index >= 0 && index < count, "index \(index) of \(count)")
            return base[index]
        }
        set {
            precondition(index >= 0 && index < count, "index \(index) of \(count)")
            base[index] = newValue
        }
    }

    mutating func append(_ element: Element) {
        reserve(count + 1)
        base[count] = element
        count += 1
    }

    mutating func append(contentsOf elements: UnsafeBufferPointer<Element>) {
        reserve(count + elements.count)
        if let start = elements.baseAddress { (base + count).update(from: start, count: elements.count) }
        count += elements.count
    }

    /// The elements of a range; valid while the array is neither changed nor destroyed.
    func elements(_ range: Range<Int>) -> UnsafeBufferPointer<Element> {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "range \(range) of \(count)")
        return UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
    }

    private mutating func reserve(_ wanted: Int) {
        guard wanted > capacity else { return }
        let larger = Self.roundedUp(max(bytes * 2, wanted * MemoryLayout<Element>.stride))
        guard let moved = clinux_grow_mapping(base, bytes, larger), moved != MAP_FAILED else {
            preconditionFailure("out of memory")
        }
        base = moved.assumingMemoryBound(to: Element.self)
        bytes = larger
    }

    private static func roundedUp(_ size: Int) -> Int {
        (max(size, 1) + 4095) & ~4095
    }

    private static func map(_ bytes: Int) -> UnsafeMutablePointer<Element> {
        let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory, memory != MAP_FAILED else { preconditionFailure("out of memory") }
        return memory.bindMemory(to: Element.self, capacity: bytes / MemoryLayout<Element>.stride)
    }
}
