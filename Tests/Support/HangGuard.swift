public import Testing

extension Trait where Self == TimeLimitTrait {
    /// A generous time limit that ends tests that hang; no test passes or fails by the clock.
    ///
    /// Tests run concurrently, on machines that may be slow and busy.
    public static var hangGuard: Self { .timeLimit(.minutes(30)) }
}
