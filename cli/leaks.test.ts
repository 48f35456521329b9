/** Key, password, text and title appear neither on the wire nor in the store, a log or a message. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '#shared/client/client'
import { newClaim } from '#shared/crypto/keys'
import { parseFragment } from '#shared/link'
import { parseLink } from '#shared/parse-links'
import { findCanaries } from '#test/canaries'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { type RunningProxy, startProxy } from '#test/proxy'
import { run } from '#test/run-cli'

const TEXT = 'canary-text-ödipus-4711'
const TITLE = 'canary-title-ülrike-4712'
const PASSWORD = 'canary-password-ärger-4713'
const WRONG = 'canary-wrong-4714'
const FILE = 'canary-file-äpfel-4715'
const FILE_NAME = 'canary-name-öl-4716.txt'

let server: LocalServer
let proxy: RunningProxy
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-leaks-'))
  server = await startLocalServer({ dataDir: folder, env: { MAYFLY_LOG: 'debug' } })
  proxy = await startProxy(server.url)
})
afterAll(async () => {
  await proxy?.close()
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

test('SEC-30, SEC-34: CLI output, logs and files contain no part of a secret', async () => {
  const messages: string[] = []
  const said = async (args: string[], stdin = '') => {
    const ran = await run([...args, '--verbose'], { stdin, env: { MAYFLY_SERVER: proxy.url } })
    messages.push(ran.stderr)
    return ran
  }
  const file = async (name: string, content: string) => {
    await writeFile(join(folder, name), content)
    return join(folder, name)
  }
  const right = await file('right', PASSWORD)
  const made = await said(['secret', 'create', '--title', TITLE, '--views', '2', '--password-file', right], TEXT)
  const link = made.stdout.toString().trim().replace(server.url, proxy.url)
  const fragment = link.split('#')[1] as string
  const wrong = await file('wrong', WRONG)
  expect((await said(['secret', 'read', '-', '--password-file', wrong], link)).code).toBe(5)
  expect((await said(['secret', 'read', '-', '--password-file', wrong, '--json'], link)).code).toBe(5)
  expect((await said(['secret', 'read', '-', '--password-file', right], link)).stdout.toString()).toBe(TEXT)
  expect((await said(['secret', 'read', '-', '--password-file', right, '-o', '/nonexistent/x'], link)).code).toBe(2)
  expect((await said(['secret', 'read', link.slice(0, -1)])).code).toBe(5)
  expect((await said([link])).code).toBe(2)
  expect((await said(['secret', 'create', `--password=${PASSWORD}`], TEXT)).code).toBe(2)
  expect((await said(['secret', 'create', PASSWORD], TEXT)).code).toBe(2)
  const raw = await createClient({ server: proxy.url }).create({ text: 'x', ttl: 600 }, newClaim())
  expect((await said(['secret', 'read', '-'], raw.url.replace(server.url, proxy.url))).code).toBe(0)
  expect((await said(['secret', 'burn', raw.id])).code).toBe(3)
  const attached = await file(FILE_NAME, FILE)
  const withFile = (await said(['secret', 'create', '-f', attached, '--views', '2', '--text', TEXT])).stdout.toString()
  await rm(attached)
  const fileLink = withFile.trim().replace(server.url, proxy.url)
  const fetched = await said(['secret', 'read', '-', '--files', '-o', '-'], fileLink)
  expect(fetched.stdout.toString()).toBe(FILE)
  expect((await said(['secret', 'burn', '-'], link)).code).toBe(0)
  expect((await said(['secret', 'burn', '-', '--json'], link)).code).toBe(3)
  await rm(right)
  await rm(wrong)

  const key = parseFragment(fragment)
  const fileKey = parseFragment(fileLink.split('#')[1] as string)
  const names = { title: TITLE, password: PASSWORD, wrong: WRONG, file: FILE, fileName: FILE_NAME }
  const canaries = { text: TEXT, ...names, fragment, key, fileKey }
  const ids = { id: parseLink(link).id, lookup: raw.id.split('~')[0] ?? '', rawKey: raw.id.split('~')[1] ?? '' }
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const stored = await Promise.all(files.map((path) => readFile(path)))
  // Without this data, the test would always pass.
  expect(messages.join('')).toContain('POST')
  expect(proxy.traffic().toString('latin1')).toContain('-----BEGIN AGE ENCRYPTED FILE-----')
  expect(proxy.traffic().toString('latin1')).toContain('age-encryption.org/v1\n-> scrypt ')
  expect(files.filter((path) => path.startsWith(join(folder, 'files')))).toHaveLength(1)
  expect(server.log()).toContain('/api/v1/secret/:id')
  expect(findCanaries(made.stdout, canaries)).toContain('fragment (raw)')
  expect(findCanaries(Buffer.from(messages.join('')), { ...canaries, ...ids })).toEqual([])
  expect(findCanaries(proxy.traffic(), canaries)).toEqual([])
  expect(findCanaries(Buffer.from(server.log()), { ...canaries, ...ids })).toEqual([])
  expect(findCanaries(Buffer.concat(stored), canaries)).toEqual([])
})
