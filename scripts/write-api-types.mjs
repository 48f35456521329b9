// Build step: writes dist/types/api.d.ts, the types of the HTTP API, from the OpenAPI document of all routes.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import openapiTS, { astToString } from 'openapi-typescript'

const root = join(import.meta.dirname, '..')
/** Below node_modules, so that it finds the packages that it imports. */
const outfile = join(root, `node_modules/.cache/openapi-document-${process.pid}.mjs`)

const contents = `
import { openApiDocument } from './core/http/openapi/document.ts'
import { routes } from './core/http/routes/index.ts'
export const document = openApiDocument(routes({}), { publicUrl: '', version: '' })`

await build({
  stdin: { contents, resolveDir: root, loader: 'ts' },
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  logLevel: 'error',
})
const { document } = await import(pathToFileURL(outfile).href)
rmSync(outfile)
const header = '/** Types of the HTTP API, made from its OpenAPI document. */\n'
/** With one space per level: a third of the file would be indentation. */
const types = astToString(await openapiTS(document)).replace(/^(?: {4})+/gm, ({ length }) => ' '.repeat(length / 4))
writeFileSync(join(root, 'dist/types/api.d.ts'), header + types)
