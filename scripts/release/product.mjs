// What a release is called and where it comes from: package.json and the commit, the only place of each.
import { dirname } from 'node:path'

export const ROOT = dirname(dirname(import.meta.dirname))
