import Algorithms

/// Where a task stands among those that wait: the higher priority first, then the one that was begun first. Who stops
/// waiting and comes back stands where it stood before.
struct Place: Sendable, Hashable, Comparable {
    var priority = 0
    /// Of the task, counted in the order begun.
    let number: Int

    static func < (a: Place, b: Place) -> Bool {
        a.priority == b.priority ? a.number < b.number : a.priority > b.priority
    }
}

/// Those who wait, each once, in the order of their places.
///
/// A sorted array and not a heap: nearly all come at the end and go from the front, and whoever leaves from the middle
/// is found by halving.
struct Line: Sendable {
    private(set) var places: [Place] = []
    private var priorities: [Int: Int] = [:]

    var isEmpty: Bool { places.isEmpty }
    var count: Int { places.count }

    func contains(_ number: Int) -> Bool { priorities[number] != nil }

    /// - Returns: `false` where it stands in line already.
    @discardableResult
    mutating func insert(_ place: Place) -> Bool {
        guard priorities[place.number] == nil else { return false }
        priorities[place.number] = place.priority
        places.insert(place, at: places.partitioningIndex { $0 > place })
        return true
    }

    /// - Returns: whether it stood in line.
    @discardableResult
    mutating func remove(_ number: Int) -> Bool {
        guard let priority = priorities.removeValue(forKey: number) else { return false }
        let place = Place(priority: priority, number: number)
        places.remove(at: places.partitioningIndex { $0 >= place })
        return true
    }

    /// Whoever does not stand in line stays out of it.
    mutating func move(_ number: Int, to priority: Int) {
        if remove(number) { insert(Place(priority: priority, number: number)) }
    }

    /// Takes the first ones out.
    mutating func removeFirst(_ count: Int) -> [Int] {
        let first = places.prefix(max(0, count)).map(\.number)
        places.removeFirst(first.count)
        for number in first { priorities[number] = nil }
        return first
    }
}
