import RoundelBus
import TestSupport
import Testing

@testable import BadgeEngine

extension RandomWorld {
    /// Holds after every step.
    func check() {
        let expected = model.expectedBegins
        #expect(begins == expected, "\(place): begin and end (F3, F4, F5)")
        let kept = Set(engine.directories.ids.map { engine.directories[$0].location.path })
        let observed = model.observedLocations
        #expect(kept == observed, "\(place): directories kept (F4)")
        let used = model.usedLinks.values.reduce(into: Set()) { $0.formUnion($1) }
        #expect(Set(followed.keys) == used, "\(place): links followed")
    }

    func checkBelief(_ client: String, _ location: String) {
        let belief = model.belief[client]?[location] ?? [:]
        let isWhole = model.whole[client]?.contains(location) ?? false
        for name in Self.names {
            let expected = model.expected(location, name)
            let value = belief[name] ?? .none
            if isWhole || model.given[client]?[location]?.contains(name) ?? false {
                #expect(value == expected, "\(place): \(client) believes wrongly of \(location)/\(name) (F7)")
            }
        }
    }

    /// At rest nothing is kept that nobody was given.
    func checkMemory() {
        #expect(engine.out.answers.count == 0, "\(place): questions kept")
        #expect(engine.placeQuestions.isEmpty && engine.foundPlaces.isEmpty, "\(place): places kept")
        for id in engine.directories.ids {
            let record = engine.directories[id]
            #expect(record.held.isEmpty && record.questions.isEmpty, place)
            for index in record.items.indicesInUse {
                let name = record.items.name(Int(index)).encoded
                let isWanted = record.observers.contains { $0.isInterested(in: Int(index)) }
                #expect(isWanted, "\(place): \(name) is kept for nobody (F7)")
            }
        }
    }
}

@Suite("The engine against a naive model")
struct ModelTests {
    @Test("F3-F8: random events agree with the model after each step")
    func randomEvents() {
        let first = SeededRandom.chosenSeed("ModelTests")
        for round in 0..<40 {
            var world = RandomWorld(seed: first &+ UInt64(round))
            world.run(steps: 5000)
        }
    }
}
