import Glibc

extension UnsafeRawBufferPointer {
    /// Returns the offset of the first occurrence of a byte in the buffer, at or after `start`; `nil` if there is none.
    ///
    /// Uses the C library's vector instructions (memchr(3)), which are many times faster than a loop in Swift.
    package func offset(of byte: UInt8, from start: Int = 0) -> Int? {
        guard start < count, let baseAddress,
            let found = memchr(baseAddress + start, Int32(byte), count - start)
        else { return nil }
        return UnsafeRawPointer(found) - baseAddress
    }

    /// Returns whether the buffer's bytes at an offset equal those of another buffer.
    package func hasBytes(_ other: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        guard offset >= 0, other.count <= count - offset else { return false }
        guard let baseAddress, let otherAddress = other.baseAddress else { return true }
        return memcmp(baseAddress + offset, otherAddress, other.count) == 0
    }

    /// Returns whether these bytes precede others in byte order.
    package func isBefore(_ other: UnsafeRawBufferPointer) -> Bool {
        let count = Swift.min(self.count, other.count)
        guard count > 0, let address = baseAddress, let otherAddress = other.baseAddress else {
            return self.count < other.count
        }
        let order = memcmp(address, otherAddress, count)
        return order == 0 ? self.count < other.count : order < 0
    }
}
