/** The six distinct entries of a symmetric 3 × 3 matrix. */
export type Symmetric = { xx: number; yy: number; zz: number; xy: number; xz: number; yz: number }

/** Eigenvalues, largest first, in closed form (O. K. Smith, "Eigenvalues of a symmetric 3 × 3 matrix", 1961). */
export function symmetricEigenvalues(m: Symmetric): [number, number, number] {
  const offDiagonal = m.xy ** 2 + m.xz ** 2 + m.yz ** 2
  const mean = (m.xx + m.yy + m.zz) / 3
  const spread = (m.xx - mean) ** 2 + (m.yy - mean) ** 2 + (m.zz - mean) ** 2 + 2 * offDiagonal
  const p = Math.sqrt(spread / 6)
  if (p === 0) return [mean, mean, mean]
  const [a, b, c] = [(m.xx - mean) / p, (m.yy - mean) / p, (m.zz - mean) / p]
  const [d, e, f] = [m.xy / p, m.xz / p, m.yz / p]
  const half = (a * b * c + 2 * d * e * f - a * f * f - b * e * e - c * d * d) / 2
  const angle = Math.acos(Math.min(1, Math.max(-1, half))) / 3
  const largest = mean + 2 * p * Math.cos(angle)
  const smallest = mean + 2 * p * Math.cos(angle + (2 * Math.PI) / 3)
  return [largest, 3 * mean - largest - smallest, smallest]
}
