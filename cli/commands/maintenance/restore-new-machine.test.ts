/** `restore` on a new machine, the origin of a backup, and API tokens in backups. */
import { createHash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { archive, entriesOf } from '#core/backup'
import { startLocalServer } from '#test/local-server'
import { createInstanceFolder, type InstanceFolder } from '#test/user-commands'

let source: InstanceFolder
/** Of the user robot. */
let token: string
const folders: string[] = []
beforeAll(async () => {
  source = await createInstanceFolder()
  for (const name of ['robot', 'anna']) await source.mayfly(['user', 'add', name, '--email', `${name}@example.org`])
  token = (await source.mayfly(['user', 'token', 'robot', '--scopes', 'account'])).stdout.trim()
  await writeFile(join(source.folder, 'backup.key'), `${'ab'.repeat(32)}\n`)
  await writeFile(join(source.folder, 'other.key'), `${'cd'.repeat(32)}\n`)
  await writeFile(join(source.folder, 'phrase'), 'vier Wörter mit Umlaut\n')
  for (const [name, ...flags] of [
    ['plain.tar'],
    ['keyed.tar', '--key-file', 'backup.key'],
    ['phrase.age', '--passphrase-file', 'phrase'],
    ['tokens.tar', '--with-tokens', '--key-file', 'backup.key'],
  ] as [string, ...string[]][]) {
    expect(await source.mayfly(['backup', name, ...flags])).toMatchObject({ code: 0 })
  }
})
afterAll(async () => {
  await source.remove()
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

const file = (name: string) => join(source.folder, name)

/** An empty folder on another machine. */
async function newMachine() {
  const machine = await createInstanceFolder()
  folders.push(machine.folder)
  await rm(join(machine.folder, 'data'), { recursive: true })
  return machine
}

const listUsers = async ({ mayfly }: InstanceFolder) =>
  JSON.parse((await mayfly(['user', 'list', '--json'])).stdout).map(({ username }: { username: string }) => username)

test('a restore into an empty folder creates the default database', async () => {
  const machine = await newMachine()
  const restored = await machine.mayfly(['restore', file('keyed.tar'), '--key-file', file('backup.key')])
  expect(restored).toMatchObject({ code: 0, stderr: expect.stringContaining('made with the key file') })
  expect(restored.stderr).toContain(`using sqlite ${join(machine.folder, 'data/mayfly.db')}`)
  expect(await listUsers(machine)).toEqual(['anna', 'robot'])
})

test('a setup without users is an empty target, one with an administrator is not', async () => {
  const machine = await newMachine()
  const setup = ['setup', '--no-input', '--public-url', 'http://localhost:3000']
  const restore = ['restore', file('keyed.tar'), '--key-file', file('backup.key')]
  expect(await machine.mayfly(setup)).toMatchObject({ code: 0 })
  expect(await machine.mayfly(restore)).toMatchObject({ code: 0 })
  expect(await listUsers(machine)).toEqual(['anna', 'robot'])
  const other = await newMachine()
  const admin = ['--admin-username', 'root', '--admin-email', 'root@example.org', '--generate-admin-password']
  expect(await other.mayfly([...setup, ...admin])).toMatchObject({ code: 0 })
  expect(await other.mayfly(restore)).toMatchObject({ code: 8, stderr: expect.stringContaining('rows in') })
})

test.each([
  ['plain.tar', [], 5],
  ['plain.tar', ['--key-file', 'backup.key'], 5],
  ['plain.tar', ['--accept-unauthenticated'], 0],
  ['keyed.tar', [], 5],
  ['keyed.tar', ['--key-file', 'other.key'], 5],
  ['keyed.tar', ['--key-file', 'plain.tar'], 2],
  ['phrase.age', ['--passphrase-file', 'phrase'], 0],
])('SEC-47: on a new machine, restore %s %j exits with %i', async (name, flags, exit) => {
  const machine = await newMachine()
  const paths = flags.map((flag) => (flag.startsWith('--') ? flag : file(flag)))
  const { code, stderr } = await machine.mayfly(['restore', file(name), ...paths])
  expect(code, stderr).toBe(exit)
  if (exit === 5) expect(stderr).toContain('--accept-unauthenticated')
  if (exit !== 2) expect(await listUsers(machine)).toEqual(exit === 0 ? ['anna', 'robot'] : [])
})

test('the instance itself knows its backups by its own key', async () => {
  const { mayfly } = source
  const restored = await mayfly(['restore', 'plain.tar', '--replace', '--confirm', 'mayfly.db', '--json'])
  expect(restored).toMatchObject({ code: 0, stderr: expect.stringContaining('made with the instance key') })
  expect(JSON.parse(restored.stdout)).toMatchObject({ authenticated_by: 'instance' })
  const listed = await mayfly(['restore', 'keyed.tar', '--key-file', 'backup.key', '--dry-run', '--json'])
  expect(JSON.parse(listed.stdout)).toMatchObject({ authenticated_by: 'file' })
})

test('SEC-47: an archive with an added administrator and a right checksum is refused', async () => {
  const keyed = ['--key-file', file('backup.key')]
  await writeFile(file('forged.tar'), await forge('keyed.tar', {}))
  await writeFile(file('stripped.tar'), await forge('keyed.tar', { key: null }))
  const [one, two, three] = [await newMachine(), await newMachine(), await newMachine()]
  expect(await one.mayfly(['restore', file('forged.tar'), ...keyed])).toMatchObject({ code: 9 })
  // The flag is for backups without a known key, not for backups that fail the check.
  expect(await one.mayfly(['restore', file('forged.tar'), ...keyed, '--accept-unauthenticated'])).toMatchObject({
    code: 9,
  })
  const forged = await readFile(file('forged.tar'))
  expect(await two.mayfly(['restore', '-', ...keyed], forged)).toMatchObject({ code: 9 })
  expect(await three.mayfly(['restore', file('stripped.tar'), ...keyed])).toMatchObject({ code: 5 })
  expect(await listUsers(three)).toEqual([])
})

test('tokens are in a backup on request only, and work after the restore', async () => {
  const without = await newMachine()
  await without.mayfly(['restore', file('keyed.tar'), '--key-file', file('backup.key')])
  const machine = await newMachine()
  await machine.mayfly(['restore', file('tokens.tar'), '--key-file', file('backup.key')])
  expect((await readFile(file('tokens.tar'))).includes(token)).toBe(false)
  const statuses: number[] = []
  for (const { folder } of [without, machine]) {
    const server = await startLocalServer({ dataDir: join(folder, 'data') })
    const headers = { authorization: `Bearer ${token}` }
    statuses.push((await fetch(`${server.url}/api/v1/authentication/verify`, { headers })).status)
    await server.stop()
  }
  expect(statuses).toEqual([401, 200])
})

/** Makes every user an administrator, as someone who can write to the storage of backups can. */
async function forge(name: string, manifest: object): Promise<Buffer> {
  const hash = createHash('sha256')
  const entries: { name: string; size: number; body: Readable }[] = []
  for await (const { name: path, body } of entriesOf(Readable.from([await readFile(file(name))]), 2 ** 20)) {
    let text = (await buffer(body)).toString()
    if (path === 'manifest.json') text = JSON.stringify({ ...JSON.parse(text), ...manifest })
    text = text.replaceAll('"role":"user"', '"role":"admin"')
    if (path === 'summary.json') text = JSON.stringify({ ...JSON.parse(text), sha256: hash.digest('hex') })
    else hash.update(`${path}\n${Buffer.byteLength(text)}\n${text}`)
    entries.push({ name: path, size: Buffer.byteLength(text), body: Readable.from([Buffer.from(text)]) })
  }
  return buffer(archive(Readable.from(entries)))
}
