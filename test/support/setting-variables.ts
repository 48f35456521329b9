/** Existing settings, with which installation files are compared. */
import { execFileSync } from 'node:child_process'
import { CLI } from './start-server.js'

/** Every variable that sets something, and each with `_FILE`. */
export function variables(): Set<string> {
  const reference = execFileSync(process.execPath, [CLI, 'config', 'list', '--markdown'], { encoding: 'utf8' })
  const names = [...reference.matchAll(/`(MAYFLY_[A-Z0-9_]+)`/g)].map(([, name = '']) => name)
  return new Set(names.flatMap((name) => [name, `${name}_FILE`]))
}
