import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { builtIns } from '#plugins'
import { loadPlugin } from './load-plugin.js'
import { PluginError } from './plugin-error.js'

const fixtures = fileURLToPath(new URL('../../test/fixtures/plugins', import.meta.url))
const load = (name: string, baseDir = fixtures) => loadPlugin(name, builtIns, baseDir)

describe('a valid plugin', () => {
  test.each(Object.keys(builtIns))('%s is built in', async (name) => {
    expect((await load(name)).name).toBe(name)
  })

  test('loadPlugin finds a file beside the config', async () => {
    expect((await load('./sound.js')).name).toBe('sound')
  })

  test('loadPlugin finds a package beside the config, also a scoped one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mayfly-plugins-'))
    for (const name of ['acme-sound', '@acme/sound']) {
      installPackage(folder, name, readySound)
      expect((await load(name, folder)).name).toBe('sound')
    }
  })
})

describe('an invalid plugin is reported in one sentence', () => {
  const cases: [name: string, message: RegExp][] = [
    [
      'sqlit',
      /^Plugin "sqlit" is neither built in \(audit-file, audit-stdout, (\S+, )+sqlite, tombstones, web, webhook\) nor installed as a package\.$/,
    ],
    ['__proto__', /^Plugin "__proto__" is neither built in/],
    ['./nothere.js', /^Plugin file \S+nothere\.js does not exist\.$/],
    ['./throws-on-import.js', /^Plugin "\.\/throws-on-import\.js" could not be loaded: this file is broken$/],
    [
      './missing-dependency.js',
      /^Plugin "\.\/missing-dependency\.js" could not be loaded: it needs the package (\S+nowhere): npm install \1$/,
    ],
    ['./broken-syntax.js', /^Plugin "\.\/broken-syntax\.js" could not be loaded: /],
    [
      './no-default.js',
      /^"\.\/no-default\.js" is not a plugin: it has no default export made with definePlugin\(\)\.$/,
    ],
    [
      './no-contract.js',
      /^Plugin "\.\/no-contract\.js" has no contract number\. Add "contract: 1" to its definition\.$/,
    ],
    [
      './contract-2.js',
      /^Plugin "\.\/contract-2\.js" was written for plugin contract 2; .* needs 1\. Install a newer version of Mayfly\.$/,
    ],
    ['./not-a-plugin.js', /^"\.\/not-a-plugin\.js" is not a plugin: /],
  ]
  test.each(cases)('%s', async (name, message) => {
    const error = await load(name).catch((failure: unknown) => failure)
    expect(error).toBeInstanceOf(PluginError)
    expect((error as Error).message).toMatch(message)
  })

  test('an installed package with a missing dependency is not reported as missing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mayfly-plugins-'))
    installPackage(folder, 'acme-hungry', "import 'a-package-that-is-nowhere'")
    await expect(load('acme-hungry', folder)).rejects.toThrow(/^Plugin "acme-hungry" could not be loaded: .*nowhere/)
  })

  test('the error of a plugin that cannot find mayfly names the folder to install it from', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mayfly-plugins-'))
    installPackage(folder, 'acme-lost', "import 'mayfly'")
    const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
    await expect(load('acme-lost', folder)).rejects.toThrow(`it needs the package mayfly: npm install ${root}`)
  })

  test.each([
    ['Could not locate the bindings file. Tried:\n → /srv/ä/node_modules/sqlite3/build/node_sqlite3.node', undefined],
    ['/srv/ä/node_modules/sqlite3/build/Release/node_sqlite3.node: invalid ELF header', 'ERR_DLOPEN_FAILED'],
  ])('the error of a missing binary names the command that builds it: %s', async (message, code) => {
    const broken = { sqlite: () => Promise.reject(Object.assign(new Error(message), { code })) }
    await expect(loadPlugin('sqlite', broken, fixtures)).rejects.toThrow(
      /^Plugin "sqlite" could not be loaded: the binary of sqlite3 is missing or .* npm rebuild sqlite3$/,
    )
  })

  test('a package without an entry point is not reported as missing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mayfly-plugins-'))
    mkdirSync(join(folder, 'node_modules/acme-empty'), { recursive: true })
    await expect(load('acme-empty', folder)).rejects.toThrow(/^Plugin "acme-empty" could not be loaded: /)
  })
})

/** A plugin can have the right shape without importing Mayfly. */
const readySound = `
export default { contract: 1, name: 'sound', options: { safeParse: () => ({ success: true, data: {} }), shape: {} }, setup: () => ({}) }
`

function installPackage(folder: string, name: string, code: string): void {
  const at = join(folder, 'node_modules', name)
  mkdirSync(at, { recursive: true })
  writeFileSync(join(at, 'package.json'), JSON.stringify({ name, type: 'module', exports: './index.js' }))
  writeFileSync(join(at, 'index.js'), code)
}
