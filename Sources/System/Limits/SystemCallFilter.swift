import StoreCLinux

/// An allow-list of system calls, as a program that the kernel runs before each call (seccomp(2)).
///
/// The first rule that matches a call decides; the kernel kills the process at a call that no rule matches. A program
/// sees the values of a call's arguments, but not the memory to which they point, such as a path.
struct SystemCallFilter {
    /// What the kernel does with a system call.
    enum Verdict {
        case allow
        /// The call is not made and fails with the error.
        case fail(Errno)
        /// The process ends as if by the signal SIGSYS, which it can't handle.
        case kill

        /// The value that the program returns to the kernel (`SECCOMP_RET_…` of <linux/seccomp.h>).
        var value: UInt32 {
            switch self {
            case .allow: 0x7fff_0000
            case .fail(let reason): 0x0005_0000 | UInt32(reason.rawValue) & 0xffff
            case .kill: 0x8000_0000
            }
        }
    }

    /// A condition that an argument of a system call has to meet.
    struct Condition {
        /// The argument's position, from 0.
        let argument: Int
        /// The bits of the argument that are compared.
        let mask: UInt64
        /// The value of these bits.
        let value: UInt64

        /// The argument is exactly this value.
        static func equals(_ argument: Int, _ value: UInt64) -> Condition {
            Condition(argument: argument, mask: .max, value: value)
        }

        /// The argument, which the kernel takes as 32 bits, has the value apart from bits that may also be set.
        static func flags(_ argument: Int, _ value: Int32, optional: Int32 = 0) -> Condition {
            Condition(
                argument: argument, mask: UInt64(~UInt32(bitPattern: optional)),
                value: UInt64(UInt32(bitPattern: value)))
        }

        /// None of these bits of the argument is set.
        static func without(_ argument: Int, _ bits: Int32) -> Condition {
            Condition(argument: argument, mask: UInt64(UInt32(bitPattern: bits)), value: 0)
        }
    }

    /// A verdict on one system call where its arguments meet all conditions.
    struct Rule {
        let number: Int
        let conditions: [Condition]
        let verdict: Verdict

        init(_ number: Int32, _ conditions: Condition..., verdict: Verdict = .allow) {
            self.number = Int(number)
            self.conditions = conditions
            self.verdict = verdict
        }
    }

    let rules: [Rule]

    /// The value of `AUDIT_ARCH_…` of the only architecture whose calls are allowed.
    let architecture: UInt32

    // The operations of the kernel's packet filter (Documentation/networking/filter.rst). Jumps count the instructions
    // that are left out.
    private enum Operation {
        static let load: UInt16 = 0x20  // BPF_LD | BPF_W | BPF_ABS
        static let and: UInt16 = 0x54  // BPF_ALU | BPF_AND | BPF_K
        static let jump: UInt16 = 0x05  // BPF_JMP | BPF_JA
        static let jumpIfEqual: UInt16 = 0x15  // BPF_JMP | BPF_JEQ | BPF_K
        static let jumpIfAtLeast: UInt16 = 0x35  // BPF_JMP | BPF_JGE | BPF_K
        static let `return`: UInt16 = 0x06  // BPF_RET | BPF_K
    }

    // The offsets of `struct seccomp_data`, whose arguments are 64 bits each; both architectures are little-endian.
    private static let numberOffset: UInt32 = 0
    private static let architectureOffset: UInt32 = 4
    private static func argumentOffset(_ argument: Int) -> UInt32 { 16 + 8 * UInt32(argument) }

    typealias Instruction = sock_filter

    /// The program for the kernel.
    var program: [Instruction] {
        // The rules of a call stay in their order.
        let calls = Dictionary(grouping: rules, by: \.number).sorted { $0.key < $1.key }
        return [
            sock_filter(code: Operation.load, jt: 0, jf: 0, k: SystemCallFilter.architectureOffset),
            sock_filter(code: Operation.jumpIfEqual, jt: 1, jf: 0, k: architecture),
            sock_filter(code: Operation.return, jt: 0, jf: 0, k: Verdict.kill.value),
            // The calls of x32, an ABI of x86_64 with the same value of the architecture, have bit 30 set (seccomp(2)).
            // No call of the other architectures has a number as high.
            sock_filter(code: Operation.load, jt: 0, jf: 0, k: SystemCallFilter.numberOffset),
            sock_filter(code: Operation.jumpIfAtLeast, jt: 0, jf: 1, k: 0x4000_0000),
            sock_filter(code: Operation.return, jt: 0, jf: 0, k: Verdict.kill.value),
        ] + SystemCallFilter.search(calls[...])
    }

    /// Returns the program that finds the rules of the loaded number by halving the list of calls.
    ///
    /// When a filter is installed, the kernel follows its program for each number that a call can have
    /// (`seccomp_cache_prepare` in kernel/seccomp.c): rule by rule, that took a tenth of a millisecond in each worker.
    private static func search(_ calls: ArraySlice<(key: Int, value: [Rule])>) -> [sock_filter] {
        let kill = sock_filter(code: Operation.return, jt: 0, jf: 0, k: Verdict.kill.value)
        guard let first = calls.first else { return [kill] }
        guard calls.count > 1 else {
            let rules = first.value.flatMap(program)
            let test = sock_filter(
                code: Operation.jumpIfEqual, jt: 0, jf: UInt8(rules.count), k: UInt32(first.key))
            return [test] + rules + [kill]
        }
        let middle = calls.startIndex + calls.count / 2
        let (below, rest) = (search(calls[..<middle]), search(calls[middle...]))
        // A conditional jump leaves out at most 255 instructions.
        return [
            sock_filter(code: Operation.jumpIfAtLeast, jt: 0, jf: 1, k: UInt32(calls[middle].key)),
            sock_filter(code: Operation.jump, jt: 0, jf: 0, k: UInt32(below.count)),
        ] + below + rest
    }

    /// Returns the program that tests the conditions of a rule, and continues behind its end where one is not met.
    private static func program(of rule: Rule) -> [sock_filter] {
        var tests: [(offset: UInt32, mask: UInt32, value: UInt32)] = []
        for condition in rule.conditions {
            for half: UInt32 in [0, 1] {
                let mask = UInt32(truncatingIfNeeded: condition.mask >> (32 * half))
                guard mask != 0 else { continue }
                let value = UInt32(truncatingIfNeeded: condition.value >> (32 * half))
                tests.append((argumentOffset(condition.argument) + 4 * half, mask, value))
            }
        }
        // From the end, because a failed test jumps over the rest of the rule.
        var program = [sock_filter(code: Operation.return, jt: 0, jf: 0, k: rule.verdict.value)]
        for test in tests.reversed() {
            let rest = UInt8(program.count)
            program.insert(sock_filter(code: Operation.jumpIfEqual, jt: 0, jf: rest, k: test.value), at: 0)
            if test.mask != .max {
                program.insert(sock_filter(code: Operation.and, jt: 0, jf: 0, k: test.mask), at: 0)
            }
            program.insert(sock_filter(code: Operation.load, jt: 0, jf: 0, k: test.offset), at: 0)
        }
        return program
    }
}
