import Glibc

/// Returns *e* raised to a power (exp(3)).
package func exponential(_ power: Double) -> Double { exp(power) }
