/** Compares two sets of measurements. */

/**
 * Two-sided p value of the Mann-Whitney U test (normal approximation with correction for ties): how likely a difference
 * like this is if both samples come from the same distribution. For samples of 20 values or more.
 */
export function mannWhitney(one: number[], two: number[]): number {
  const all = [...one.map((value) => ({ value, isFirst: true })), ...two.map((value) => ({ value, isFirst: false }))]
  all.sort((a, b) => a.value - b.value)
  let rankSum = 0
  let tieSum = 0
  for (let at = 0; at < all.length; ) {
    let end = at
    while (end < all.length && all[end]?.value === all[at]?.value) end++
    const size = end - at
    // Equal values share the mean of their ranks, which start at 1.
    const rank = (at + 1 + end) / 2
    rankSum += rank * all.slice(at, end).filter(({ isFirst }) => isFirst).length
    tieSum += size ** 3 - size
    at = end
  }
  const [n, m] = [one.length, two.length]
  const total = n + m
  const u = rankSum - (n * (n + 1)) / 2
  const deviation = Math.sqrt(((n * m) / 12) * (total + 1 - tieSum / (total * (total - 1))))
  return deviation === 0 ? 1 : twoSided((u - (n * m) / 2) / deviation)
}

/** Two-sided tail of the standard normal distribution (Abramowitz and Stegun 26.2.17, error below 1e-7). */
function twoSided(z: number): number {
  const x = Math.abs(z)
  const t = 1 / (1 + 0.2316419 * x)
  const series = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429]
  const tail = series.reduce((sum, factor, index) => sum + factor * t ** (index + 1), 0)
  return Math.min(1, (2 * tail * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI))
}
