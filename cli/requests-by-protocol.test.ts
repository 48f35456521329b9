/** Secret requests against a second implementation: each opens submissions of the other, and nothing leaks. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { armor, Encrypter } from 'age-encryption'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findCanaries } from '#test/canaries'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { type RunningProxy, startProxy } from '#test/proxy'
import { collectKeys, openByProtocol, openRequestByProtocol, submitByProtocol } from '#test/requests-by-protocol'
import { run } from '#test/run-cli'
import { ROOT } from '#test/source-files'
import { shell } from '#test/spawn-cli'

const TEXT = 'canary-text-ödipus-4731\nzwei ☃\n\n'
const TITLE = 'canary-title-ülrike-4732'
const INSTRUCTIONS = 'canary-instructions-ärger-4733'
const FILE_NAME = 'canary-name-öl-4734.txt'
const FILE = 'canary-file-äpfel-4735'

let server: LocalServer
let proxy: RunningProxy
let folder: string
const messages: string[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-protocol-'))
  const env = { MAYFLY_LOG: 'debug' }
  server = await startLocalServer({
    dataDir: join(folder, 'data'),
    env,
    instanceSettings: { who_can_request: 'anyone' },
  })
  proxy = await startProxy(server.url)
})
afterAll(async () => {
  await proxy?.close()
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function mayfly(args: string[], stdin: string | Uint8Array = '') {
  const ran = await run([...args, '--verbose'], { stdin, env: { MAYFLY_SERVER: proxy.url }, cwd: folder })
  messages.push(ran.stderr)
  return ran
}

let made = 0
/** Returns both links. All traffic goes through the proxy. */
async function create(...flags: string[]): Promise<{ link: string; collect: string }> {
  const file = join(folder, `collect-${made++}`)
  const { stdout, stderr, code } = await mayfly(['request', 'create', '--collect-file', file, ...flags])
  expect({ code }, stderr).toEqual({ code: 0 })
  const collect = (await readFile(file, 'utf8')).trim()
  await rm(file)
  const viaProxy = (link: string) => link.replace(server.url, proxy.url)
  return { link: viaProxy(stdout.toString().trim()), collect: viaProxy(collect) }
}
const submit = (link: string, stdin: string, ...flags: string[]) => mayfly(['request', 'submit', link, ...flags], stdin)
const collect = (link: string, ...flags: string[]) => mayfly(['request', 'collect', '-', ...flags], link)

test('CRY-12: the second implementation opens what the command line submits, text and files of several parts', async () => {
  const { link, collect: collectLink } = await create()
  const large = randomBytes(8 * 2 ** 20 + 9)
  const paths = [join(folder, 'groß.bin'), join(folder, 'leer')]
  await writeFile(paths[0] as string, large)
  await writeFile(paths[1] as string, '')
  expect(await submit(link, TEXT, '--text', '-', '--file', ...paths)).toMatchObject({ code: 0 })
  const [opened, ...more] = await openByProtocol(collectLink)
  expect(more).toEqual([])
  expect(opened?.text.toString()).toBe(TEXT)
  expect(opened?.header).toMatchObject({ v: 1, maxViews: 1, hasPassword: false })
  expect(opened?.files.map(({ name, bytes }) => [name, bytes.length])).toEqual([
    ['groß.bin', large.length],
    ['leer', 0],
  ])
  expect(opened?.files[0]?.bytes.equals(large)).toBe(true)
  expect(await openByProtocol(collectLink)).toEqual([])
})

test('CRY-12: the command line opens what the second implementation submits', async () => {
  const { link, collect: collectLink } = await create('--title', TITLE)
  const bytes = randomBytes(70_000)
  await submitByProtocol(link, TEXT, [{ name: 'zwei.bin', bytes }])
  const { stdout, code } = await collect(collectLink, '--out-dir', 'in')
  expect({ code, text: stdout.toString() }).toEqual({ code: 0, text: TEXT })
  expect(bytes.equals(await readFile(join(folder, 'in/zwei.bin')))).toBe(true)
})

test('CRY-14: nothing of a request is in a table, a log, a file or the traffic', async () => {
  const { link, collect: collectLink } = await create('--title', TITLE, '--instructions', INSTRUCTIONS)
  const { submit: submitProof } = await openRequestByProtocol(link)
  await writeFile(join(folder, FILE_NAME), FILE)
  const submitted = await submit(link, TEXT, '--text', '-', '--file', join(folder, FILE_NAME))
  await rm(join(folder, FILE_NAME))
  // Before it is collected, the server has all of its data.
  const stored = await readAll(join(folder, 'data'))
  expect(await collect(collectLink, '--out-dir', 'canaries')).toMatchObject({ code: 0 })
  const after = await readAll(join(folder, 'data'))
  const { key, seed, shareSecret, identity, notePassphrase } = collectKeys(collectLink)
  const inner = {
    text: TEXT.trim(),
    title: TITLE,
    instructions: INSTRUCTIONS,
    fileName: FILE_NAME,
    file: FILE,
    key,
    seed,
    shareSecret,
    identity,
    notePassphrase,
    collectFragment: collectLink.split('#')[1] ?? '',
    requestFragment: link.split('#')[1] ?? '',
  }
  // Without this data, the test would always pass.
  expect(stored.bytes.includes('-----BEGIN AGE ENCRYPTED FILE-----')).toBe(true)
  expect(stored.names.some((name) => name.includes('files'))).toBe(true)
  expect(proxy.traffic().includes('mlkem768x25519') || proxy.traffic().includes('age1pq1')).toBe(true)
  expect(server.log()).toContain('/api/v1/request/:id/submission')
  expect(findCanaries(Buffer.from(submitted.stderr), { title: TITLE })).not.toEqual([])
  for (const { bytes, names } of [stored, after]) {
    expect(findCanaries(bytes, inner)).toEqual([])
    expect(findCanaries(Buffer.from(names.join('\n')), inner)).toEqual([])
  }
  expect(findCanaries(proxy.traffic(), inner)).toEqual([])
  const { collect: collectProof } = collectKeys(collectLink)
  const proofs = { collectProof, submitProof }
  expect(findCanaries(Buffer.from(server.log()), { ...inner, ...proofs })).toEqual([])
  // Submitter and collector see title, instructions and file names on their terminals.
  const { title: _, instructions: __, fileName: ___, ...hidden } = { ...inner, ...proofs }
  expect(findCanaries(Buffer.from(messages.join('')), hidden)).toEqual([])
})

/** All files below a folder, with their names. */
async function readAll(root: string): Promise<{ bytes: Buffer; names: string[] }> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return { bytes: Buffer.concat(await Promise.all(names.map((name) => readFile(name)))), names }
}

describe('a hostile submission', () => {
  const age = async (prepare: (encrypter: Encrypter) => void) => {
    const encrypter = new Encrypter()
    prepare(encrypter)
    return armor.encode(await encrypter.encrypt('ö ☃'))
  }
  const header = (stanzas: string) =>
    armor.encode(new TextEncoder().encode(`age-encryption.org/v1\n${stanzas}--- ${'A'.repeat(43)}\n${'x'.repeat(64)}`))
  const body = `${'A'.repeat(43)}\n`
  const hybrid = `-> mlkem768x25519 ${'A'.repeat(1494)}\n${body}`
  const files: [string, (recipient: string) => string | Promise<string>, problem: RegExp][] = [
    [
      'for two recipients',
      (recipient) =>
        age((encrypter) => {
          for (const each of [recipient, recipient]) encrypter.addRecipient(each)
        }),
      /is encrypted in another way/,
    ],
    [
      'for a passphrase',
      () =>
        age((encrypter) => {
          encrypter.setPassphrase('ö')
          encrypter.setScryptWorkFactor(1)
        }),
      /is encrypted in another way/,
    ],
    [
      'with a work factor of 2^60',
      () => header(`-> scrypt ${'A'.repeat(22)} 60\n${body}`),
      /is encrypted in another way/,
    ],
    ['for an X25519 key', () => header(`-> X25519 ${'A'.repeat(43)}\n${body}`), /is encrypted in another way/],
    ['with a header as long as a text may be', () => header(hybrid.repeat(300)), /is encrypted in another way/],
    ['for another hybrid key', () => header(hybrid), /does not open this submission/],
  ]

  test.each(files)('CRY-13: %s is reported, and nothing is written', async (_, make, problem) => {
    const { link, collect: collectLink } = await create()
    const { api, id, submit: proof, recipient } = await openRequestByProtocol(link)
    const sent = await fetch(`${api}/request/${id}/submission`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ submit: proof, text: await make(recipient) }),
    })
    expect(sent.status).toBe(201)
    const before = await readdir(folder)
    const { stdout, stderr, code } = await collect(collectLink, '--output', 'answer')
    expect({ stdout: stdout.length, code }, stderr).toEqual({ stdout: 0, code: 9 })
    expect(stderr).toMatch(problem)
    expect(await readdir(folder)).toEqual(before)
  })

  test('CRY-13: that names another request, or none, is reported', async () => {
    const [{ link: other }, { link, collect: collectLink }] = [await create(), await create('--submissions', '2')]
    const { id } = await openRequestByProtocol(other)
    for (const request of [id, undefined]) {
      await submitByProtocol(link, TEXT, [], { request })
      const { stdout, stderr, code } = await collect(collectLink)
      expect({ stdout: stdout.length, code }, stderr).toEqual({ stdout: 0, code: 9 })
      expect(stderr).not.toContain(TEXT.slice(0, 20))
    }
  })

  test('that is too large is refused and takes no slot', async () => {
    const { link } = await create('--max-bytes', '3000')
    await expect(submitByProtocol(link, 'x'.repeat(3000))).rejects.toMatchObject({
      response: { statusCode: 413, code: 'request.too_large', field: 'text' },
    })
    await expect(submitByProtocol(link, 'x')).resolves.toHaveProperty('id')
    await expect(submitByProtocol(link, 'x')).rejects.toMatchObject({ response: { code: 'secret_request.not_found' } })
  })
})

describe('the scripts of docs/receive-a-secret.md', () => {
  beforeAll(async () => {
    const page = await readFile(join(ROOT, 'docs/receive-a-secret.md'), 'utf8')
    const scripts = [...page.matchAll(/<!-- (\S+\.mjs) -->\n```js\n([\s\S]*?)```/g)]
    expect(scripts.map(([, name]) => name)).toEqual(['submit.mjs', 'open.mjs'])
    for (const [, name = '', code = ''] of scripts) await writeFile(join(folder, name), code)
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  })
  const script = (line: string, stdin: string) => shell(line, { cwd: folder, stdin })

  test('submit.mjs submits what the command line collects', async () => {
    const { link, collect: collectLink } = await create()
    expect(await script(`node submit.mjs '${link}'`, TEXT)).toMatchObject({ code: 0 })
    expect((await collect(collectLink)).stdout.toString()).toBe(TEXT)
  })

  test('CRY-12: open.mjs opens what the command line submits', async () => {
    const { link, collect: collectLink } = await create()
    await submit(link, TEXT)
    expect(await script('node open.mjs', `${collectLink}\n`)).toMatchObject({ code: 0, stdout: Buffer.from(TEXT) })
    expect(await script('node open.mjs', `${collectLink}\n`)).toMatchObject({ code: 3, stdout: Buffer.alloc(0) })
  })
})
