/** Existing settings, with which installation files are compared. */
import { execFileSync } from 'node:child_process'
import { CLI } from './start-server.js'

let known: Set<string> | undefined

/** Every variable that sets something, and each with `_FILE`. The files of a worker share one run of the program. */
export function variables(): Set<string> {
  known ??= listVariables()
  return known
}

function listVariables(): Set<string> {
  const reference = execFileSync(process.execPath, [CLI, 'config', 'list', '--markdown'], { encoding: 'utf8' })
  const names = [...reference.matchAll(/`(MAYFLY_[A-Z0-9_]+)`/g)].map(([, name = '']) => name)
  return new Set(names.flatMap((name) => [name, `${name}_FILE`]))
}
