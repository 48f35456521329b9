// Last build step: writes the checksums of all files of the web app in the format of `sha256sum`, for `mayfly
// verify-web`.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../dist/web')
/** Icons and legal texts are the operator's to replace. */
const NAMES = /^(assets\/.+|locales\/.+|theme|share-worker)\.(js|css|json)$/
const names = readdirSync(folder, { recursive: true })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => NAMES.test(name))
  .sort()
const line = (name) =>
  `${createHash('sha256')
    .update(readFileSync(join(folder, name)))
    .digest('hex')}  ${name}\n`
writeFileSync(join(folder, 'manifest.sha256'), names.map(line).join(''))
