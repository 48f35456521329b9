import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findPreviousAsset, keepAssets } from './previous-assets.js'

const DAY = 24 * 3600 * 1000
const T0 = Date.now()

let root: string
let dataDir: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'mayfly-assets-'))
  dataDir = join(root, 'data')
  await mkdir(dataDir)
})
afterEach(() => rm(root, { recursive: true }))

/** A build with one script, in two encodings, and a file that is not hashed. */
async function createBuild(name: string): Promise<string> {
  const folder = join(root, name)
  await mkdir(join(folder, 'assets'), { recursive: true })
  await writeFile(join(folder, `assets/${name}.js`), `/* ${name} é */`)
  await writeFile(join(folder, `assets/${name}.js.br`), 'br')
  await writeFile(join(folder, 'theme.js'), '')
  await writeFile(join(folder, 'files.json'), JSON.stringify({ [`assets/${name}.js`]: ['br'], 'theme.js': [] }))
  return folder
}
const serve = async (name: string, day: number) => keepAssets(await createBuild(name), dataDir, T0 + day * DAY)
const find = async (name: string) =>
  (await findPreviousAsset(dataDir, `/assets/${name}.js`))?.bodies.identity.toString()

test('files of the previous build are found for a week after the upgrade, even if it was in use for long', async () => {
  await serve('old', 0)
  await serve('old', 90)
  await serve('new', 100)
  expect(await findPreviousAsset(dataDir, '/assets/old.js')).toMatchObject({
    type: 'text/javascript; charset=utf-8',
    isImmutable: true,
    bodies: { br: Buffer.from('br'), identity: Buffer.from('/* old é */') },
  })
  await serve('new', 106)
  expect(await find('old')).toBe('/* old é */')
  await serve('new', 108)
  expect(await find('old')).toBeUndefined()
  expect(await find('new')).toBe('/* new é */')
  expect(await readdir(join(dataDir, 'web-assets'))).toHaveLength(1)
})

test('several upgrades and downgrades in a week keep the files of each build', async () => {
  await serve('a', 0)
  await serve('b', 20)
  await serve('c', 22)
  await serve('b', 24)
  await serve('b', 26)
  expect(await Promise.all(['a', 'b', 'c'].map(find))).toEqual(['/* a é */', '/* b é */', '/* c é */'])
  await serve('b', 33)
  expect(await Promise.all(['a', 'b', 'c'].map(find))).toEqual([undefined, '/* b é */', undefined])
})

test('processes that start at once leave one copy', async () => {
  const build = await createBuild('new')
  await Promise.all(Array.from({ length: 4 }, () => keepAssets(build, dataDir, T0)))
  expect(await readdir(join(dataDir, 'web-assets'))).toHaveLength(1)
  expect(await find('new')).toBe('/* new é */')
})

test('a copy that was not finished is not used and deleted later', async () => {
  await mkdir(join(dataDir, 'web-assets/.new-killed'), { recursive: true })
  await serve('new', 30)
  expect(await find('other')).toBeUndefined()
  await serve('next', 60)
  await serve('next', 90)
  expect(await readdir(join(dataDir, 'web-assets'))).toHaveLength(1)
})

test('only hashed files of the index are found, and only with a data folder', async () => {
  await serve('old', 0)
  for (const path of ['/theme.js', '/assets/../theme.js', '/assets/../../../old/theme.js', '/assets/old.js.br']) {
    expect(await findPreviousAsset(dataDir, path)).toBeUndefined()
  }
  const missing = join(root, 'missing')
  await keepAssets(await createBuild('old'), missing, T0)
  expect(await findPreviousAsset(missing, '/assets/old.js')).toBeUndefined()
  expect(await readdir(root)).not.toContain('missing')
})
