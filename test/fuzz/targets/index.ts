import type { FuzzTarget } from '../target.js'
import { age, envelope, parts } from './encryption.js'
import { backup, csv } from './files.js'
import { addresses, json, languages } from './headers.js'
import { links } from './links.js'

export { PLANTED } from './planted.js'

/** By name. `test/fuzz/corpus` has a file for each. */
export const TARGETS: Record<string, FuzzTarget> = {
  links,
  envelope,
  age,
  parts,
  addresses,
  languages,
  json,
  csv,
  backup,
}
