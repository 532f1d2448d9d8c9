public import Testing

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs, and no other: no test passes or fails by the clock.
    ///
    /// It is generous because tests run beside each other, on machines that may be slow and busy.
    public static var hangGuard: Self { .timeLimit(.minutes(30)) }
}
