import { safeFileName } from '#shared/file-name'

/** Safe file names, unique also on case-insensitive file systems. */
export function uniqueFileNames(names: string[]): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    const safe = safeFileName(name)
    let unique = safe
    for (let count = 1; taken.has(unique.toLowerCase()); count++) unique = addNumber(safe, count)
    taken.add(unique.toLowerCase())
    return unique
  })
}

function addNumber(name: string, count: number): string {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? `${name.slice(0, dot)} (${count})${name.slice(dot)}` : `${name} (${count})`
}
