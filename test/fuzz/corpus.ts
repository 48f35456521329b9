/** Inputs that are kept: one JSON string for each, with one character for each byte. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `root`: the folder of the repository. `name`: of a target. */
export function readCorpus(root: string, name: string): string[] {
  const path = join(root, `test/fuzz/corpus/${name}.ndjson`)
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
}
