/** Finds the word that a user probably meant to type. */

/** Returns the candidate with the smallest edit distance of at most `max`. */
export function findNearest(typed: string, candidates: Iterable<string>, max: number): string | undefined {
  const near = [...candidates]
    .map((name) => ({ name, distance: getEditDistance(typed, name) }))
    .filter(({ distance }) => distance <= max)
  return near.sort((a, b) => a.distance - b.distance)[0]?.name
}

/** Levenshtein distance. */
function getEditDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] as number) + (letter === b[j - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row[b.length] as number
}
