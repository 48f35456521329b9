/** The library `mayfly/client` as it is built: its size, its imports, and what bundlers keep of it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { importsOf, parse, ROOT } from '#test/source-files'

const FOLDER = join(ROOT, 'dist/library')
const LIMIT_KB = 30
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.js'))
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8')
const imports = new Map(files.map((name) => [name, importsOf(parse(join('dist/library', name), read(name)))]))

/** A file and what it imports at once. */
function closureOf(name: string): string[] {
  const found = new Set([name])
  for (const each of found) {
    for (const { specifier, kind } of imports.get(each) ?? []) if (kind === 'static') found.add(specifier.slice(2))
  }
  return [...found]
}

const sizeOf = (names: string[]) => names.reduce((sum, name) => sum + brotliCompressSync(read(name)).length, 0) / 1000
/** A part of ML-KEM. */
const isPostQuantum = (name: string) => /ML-KEM|mlkem768/.test(read(name))

test('the library imports its own files only, and post-quantum cryptography only when it is used', () => {
  const all = [...imports.values()].flat()
  expect(all.filter(({ specifier }) => !(specifier.startsWith('./') && files.includes(specifier.slice(2))))).toEqual([])
  expect(all.filter(({ kind }) => kind === 'lazy').length).toBeGreaterThan(2)
  expect(files.some(isPostQuantum)).toBe(true)
  expect(closureOf('client.js').filter(isPostQuantum)).toEqual([])
  for (const name of files) expect(/node:|require\(|\bprocess\./.test(read(name)), name).toBe(false)
})

test(`the library has less than ${LIMIT_KB} kB without post-quantum cryptography`, () => {
  const cipher = files.filter((name) => name.startsWith('portable-cipher'))
  expect(cipher).toHaveLength(1)
  const size = sizeOf([...new Set([...closureOf('client.js'), ...cipher])])
  expect(size).toBeGreaterThan(10)
  expect(size).toBeLessThan(LIMIT_KB)
})

test('the library is made of shared code only', async () => {
  const { metafile } = await build({
    entryPoints: [join(ROOT, 'core/shared/library/index.ts')],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    outdir: 'unused',
    write: false,
    metafile: true,
    absWorkingDir: ROOT,
  })
  const inputs = Object.keys(metafile.inputs)
  const allowed = /^(core\/shared\/|web\/crypto-worker\/native\/|node_modules\/@(noble|scure)\/)/
  expect(inputs.filter((path) => !allowed.test(path))).toEqual([])
  expect(inputs.length).toBeGreaterThan(30)
})

test('a bundler keeps only the functions that are used', async () => {
  const bundle = async (names: string) => {
    const { outputFiles, warnings } = await build({
      stdin: { contents: `export { ${names} } from 'mayfly/client'`, resolveDir: ROOT },
      bundle: true,
      format: 'esm',
      platform: 'browser',
      write: false,
      minify: true,
    })
    expect(warnings).toEqual([])
    return outputFiles[0]?.text ?? ''
  }
  const [status, both] = [await bundle('getSecretStatus'), await bundle('getSecretStatus, createRequest')]
  expect(both.includes('mlkem768')).toBe(true)
  expect(status.includes('mlkem768')).toBe(false)
  expect(status.length).toBeLessThan(both.length / 2)
})
