// Build step: adds the SHA-256 of each script to the elements of the page templates that load it.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../dist/web')
const SCRIPT = /<(?:script\b[^>]* src|link rel="(?:modulepreload|preload" as="script)"[^>]* href)="\.?\/([^"]+\.js)"/g

for (const template of ['index.html', 'lite.html']) {
  const html = readFileSync(join(folder, template), 'utf8')
  const withIntegrity = html.replace(SCRIPT, (element, name) => {
    const digest = createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('base64')
    return `${element} integrity="sha256-${digest}"`
  })
  writeFileSync(join(folder, template), withIntegrity)
}
