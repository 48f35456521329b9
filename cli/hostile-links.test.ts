/** A proxy that changes only responses gets no key and no password, and its texts are not printed. */

import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createUser } from '#core/auth/administer-users'
import { createToken } from '#core/auth/api-tokens'
import { LOCAL_CLI, toAuthContext } from '#core/runtime'
import { createRequestClient } from '#shared/client/request-client'
import { encodeText } from '#shared/crypto/envelope'
import { newClaim } from '#shared/crypto/keys'
import { createRequestKeys, encryptSubmission } from '#shared/crypto/submission'
import { parseCollectLink } from '#shared/parse-links'
import { type CliFixture, startCliFixture } from '#test/cli-fixture'
import { type FaultyProxy, startFaultyProxy } from '#test/faulty-proxy'
import { run } from '#test/run-cli'

const EVIL = 'https://evil.example'
const PASSWORD = 'my-bank-password-☃'
const FORGED = 'FORGED ☃'

let cli: CliFixture
let proxy: FaultyProxy
let env: Record<string, string>
beforeAll(async () => {
  cli = await startCliFixture({}, { who_can_request: 'anyone' })
  proxy = await startFaultyProxy(cli.server.url)
  const boss = { username: 'boss', email: 'boss@example.org', password: 'correct horse ☃', generated: false }
  await createUser(cli.server.app, { ...boss, role: 'admin' }, LOCAL_CLI)
  const user = (await cli.server.app.storage.users.find('boss')) ?? expect.fail('no user')
  const { token } = await createToken(cli.server.app, { name: 'ci' }, toAuthContext(user, { address: null }))
  env = { MAYFLY_SERVER: proxy.url, MAYFLY_TOKEN: token }
})
afterAll(async () => {
  await proxy?.close()
  await cli?.stop()
})
afterEach(() => proxy.fail(null))

type Document = Record<string, unknown>

/** Changes the JSON of responses to requests with this path. */
function change(path: RegExp, edit: (document: Document) => Document): void {
  proxy.fail(async ({ url = '' }, response, pass) => {
    const answer = await pass()
    const body = await text(answer)
    const type = answer.headers['content-type'] ?? 'text/plain'
    const isChanged = path.test(url) && type.startsWith('application/json')
    response.writeHead(answer.statusCode ?? 500, { 'content-type': type })
    response.end(isChanged ? JSON.stringify(edit(JSON.parse(body))) : body)
  })
}

const CREATED = /\/(secret|request)$/
const toEvil = (document: Document) => ({ ...document, url: String(document.url).replace(/^https?:\/\/[^/]+/, EVIL) })
const listSecrets = async () => JSON.parse((await run(['secret', 'list', '--json'], { env })).stdout.toString())
const listRequests = async () => JSON.parse((await run(['request', 'list', '--json'], { env })).stdout.toString())

describe('a URL of another address in the response', () => {
  const refusal = { code: 9, stderr: expect.stringContaining(`a link to another address: ${EVIL}`) }

  test.each([
    ['secret create', ['secret', 'create', '--text', 'geheim ☃']],
    ['secret create --split', ['secret', 'create', '--split', '--text', 'x']],
    ['secret create --public', ['secret', 'create', '--public', '--text', 'x']],
    ['secret create --receipt', ['secret', 'create', '--receipt', '--text', 'x']],
    ['request create', ['request', 'create', '--show-collect-link']],
  ])('CRY-17: ends %s without a link, and nothing stays on the server', async (_, args) => {
    change(CREATED, toEvil)
    const ran = await run(args, { env })
    expect(ran).toMatchObject(refusal)
    expect(ran.stdout.toString() + ran.stderr).not.toMatch(/#/)
    proxy.fail(null)
    expect(await listSecrets()).toEqual([])
    expect(await listRequests()).toEqual([])
  })

  test('is accepted if the user configured it, and links begin with it', async () => {
    change(CREATED, toEvil)
    const configured = { ...env, MAYFLY_PUBLIC_URL: `${EVIL}/base/` }
    const { stdout } = await run(['secret', 'create', '--receipt', '--json', '--text', 'x'], { env: configured })
    expect(JSON.parse(stdout.toString()).link).toMatch(/^https:\/\/evil\.example\/base\/secret\/[\w-]{22}#1/)
    const request = await run(['request', 'create', '--show-collect-link', '--json'], { env: configured })
    const { link, collect_link } = JSON.parse(request.stdout.toString())
    expect(link).toMatch(/^https:\/\/evil\.example\/base\/request\//)
    expect(collect_link).toMatch(/^https:\/\/evil\.example\/base\/collect\//)
  })

  test('CRY-17: of a receipt is replaced by the address of the server', async () => {
    change(CREATED, (document) => ({
      ...document,
      receipt: String(document.receipt).replace(/^.*\/receipt/, `${EVIL}/receipt`),
    }))
    const { stderr, code } = await run(['secret', 'create', '--receipt', '--text', 'x'], { env })
    expect(code, stderr).toBe(0)
    expect(stderr).toContain(`Receipt: ${proxy.url}/receipt#1`)
  })
})

describe('a forged kind', () => {
  /** Sends the password only if the client is deceived. */
  async function read(link: string, kind: string, key?: string) {
    let sent = ''
    proxy.fail(async (request, response, pass) => {
      if (request.method === 'POST') sent += await text(request)
      if (request.method === 'POST' && !request.url?.endsWith('/exist')) {
        const facts = { kind, text: FORGED, title: null, files: [], maxViews: 0, preventBurn: false, isPublic: true }
        const id = request.url?.split('/').at(-1)
        response.writeHead(200, { 'content-type': 'application/json' })
        return response.end(JSON.stringify({ ...facts, id, expiresAt: Date.now() + 60_000 }))
      }
      const isPeek = request.url?.endsWith('/exist')
      if (!isPeek) return forwardTo(response, await pass())
      const id = request.url?.split('/').at(-2)
      const facts = {
        id,
        kind,
        maxViews: 1,
        passwordRequired: true,
        codeRequired: false,
        expiresAt: Date.now() + 60_000,
        files: 0,
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(facts))
    })
    const password = await cli.writeFile('password', PASSWORD)
    const flags = key === undefined ? [] : ['--key-file', await cli.writeFile('key', key)]
    const ran = await run(['secret', 'read', '-', '--password-file', password, ...flags], { stdin: link, env })
    return { ...ran, sent }
  }
  const forwardTo = async (response: import('node:http').ServerResponse, answer: import('node:http').IncomingMessage) =>
    response.writeHead(answer.statusCode ?? 500, answer.headers).end(await text(answer))

  async function create(): Promise<{ keyless: string; key: string }> {
    const { stdout } = await run(['secret', 'create', '--split', '--text', 'x'], { env })
    const [keyless = '', key = ''] = stdout.toString().split('\n')
    expect(keyless).toMatch(/\/secret\/[\w-]{22}#0$/)
    return { keyless, key }
  }

  test.each(['raw', 'public'])('CRY-18: %s of a link whose key is separate sends no password', async (kind) => {
    const { keyless, key } = await create()
    for (const given of [key, undefined]) {
      const { code, stdout, sent } = await read(keyless, kind, given)
      expect({ code, stdout: stdout.toString(), sent }).toEqual({ code: given ? 9 : 2, stdout: '', sent: '' })
    }
  })

  test('CRY-18: raw of a link without a fragment sends no password', async () => {
    const { keyless } = await create()
    const { code, stdout, stderr, sent } = await read(keyless.replace('#0', ''), 'raw')
    expect({ code, stdout: stdout.toString(), sent }).toEqual({ code: 9, stdout: '', sent: '' })
    expect(stderr).toContain('the server reports a raw secret, which this link cannot open')
  })

  test('public of a raw link sends no password', async () => {
    const { stdout } = await run(['secret', 'create', '--public', '--text', 'x'], { env })
    const raw = `${stdout.toString().trim()}~AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8`
    expect(await read(raw, 'public')).toMatchObject({ code: 9, sent: '' })
  })

  test.each(['public', 'sealed'])('CRY-18: %s in the view of a raw link is not printed', async (kind) => {
    const created = await fetch(`${cli.server.url}/api/v1/secret`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'echt ☃', ttl: 60 }),
    })
    const { id } = (await created.json()) as { id: string }
    change(/\/secret\/[\w-]{22}~[\w-]{43}$/, (view) => ({ ...view, kind, text: FORGED }))
    const { code, stdout, stderr } = await run(['secret', 'read', `${proxy.url}/secret/${id}`], { env })
    expect({ code, stdout: stdout.toString() }, stderr).toEqual({ code: 9, stdout: '' })
    expect(stderr).toContain(`the server reports a ${kind} secret`)
  })

  test('secret read says that a public secret is not encrypted', async () => {
    const { stdout } = await run(['secret', 'create', '--public', '--text', 'öffentlich'], { env })
    const ran = await run(['secret', 'read', stdout.toString().trim()], { env })
    expect(ran.stderr).toContain('public, not encrypted')
    expect(ran.stdout.toString()).toBe('öffentlich')
  })
})

const DAY_MS = 86_400_000
const ADDED_FILE = { id: 'AQIDBAUGBwgJCgsMDQ4PEA', size: 181, parts: 1, key: 'A'.repeat(43) }
const CHANGED_VIEWS: [what: string, change: (view: Document) => Document, code: number, message: string][] = [
  ['text', (view) => ({ ...view, text: FORGED }), 9, 'cannot decrypt'],
  ['kind to public', (view) => ({ ...view, kind: 'public', isPublic: true, text: FORGED }), 9, 'cannot decrypt'],
  ['kind to raw', (view) => ({ ...view, kind: 'raw', text: FORGED }), 9, 'cannot decrypt'],
  ['expiry', (view) => ({ ...view, expiresAt: Number(view.expiresAt) + DAY_MS }), 0, 'keeps this secret longer than'],
  ['number of views', (view) => ({ ...view, maxViews: 7 }), 0, 'allows more views than the sender set'],
  ['list of files', (view) => ({ ...view, files: [ADDED_FILE] }), 0, 'lists different files than the sender'],
]

describe.each(CHANGED_VIEWS)('a changed %s', (_, edit, code, message) => {
  const expectReported = (ran: Awaited<ReturnType<typeof run>>) => {
    expect(ran.stderr).toContain(message)
    expect({ code: ran.code, stdout: ran.stdout.toString() }).toEqual({ code, stdout: code === 0 ? 'echt ☃' : '' })
    expect(ran.stderr).not.toContain(FORGED)
  }

  test('is reported by secret read', async () => {
    const { stdout } = await run(['secret', 'create', '--chomp'], { stdin: 'echt ☃', env })
    change(/\/secret\/[\w-]{22}$/, edit)
    expectReported(await run(['secret', 'read', stdout.toString().trim(), '--text-only'], { env }))
  })

  test('is reported by request collect', async () => {
    const { stdout } = await run(['request', 'create', '--show-collect-link', '--json'], { env })
    const { link, collect_link: collect } = JSON.parse(stdout.toString())
    expect((await run(['request', 'submit', link], { stdin: 'echt ☃', env })).code).toBe(0)
    change(/\/secret\/[\w-]{22}$/, edit)
    expectReported(await run(['request', 'collect', '-', '--text-only'], { stdin: collect, env }))
  })
})

type File = Document & { id: string; size: number }
const UNSAFE_NAME = 'FORGED\x1b[31m\u202etxt.exe'
const editFiles = (alter: (files: File[]) => Document[]) => (view: Document) => ({
  ...view,
  files: alter(view.files as File[]),
})
/** `reported`: the client says so. Without it, the client does not use the field. */
const CHANGED_FILES: [what: string, change: (view: Document) => Document, reported: boolean][] = [
  ['order of files', editFiles((files) => files.toReversed()), false],
  ['number of files', editFiles((files) => files.slice(0, 1)), true],
  ['file that is added', editFiles((files) => [...files, ADDED_FILE]), true],
  ['size of a file', editFiles(([first, ...rest]) => [{ ...first, size: Number(first?.size) + 1 }, ...rest]), true],
  [
    'file id, to the id of another file',
    editFiles(([first, second]) => [first ?? {}, { ...second, id: first?.id }]),
    true,
  ],
  [
    'ticket, to the ticket of another file',
    editFiles(([first, second]) => [first ?? {}, { ...second, key: first?.key }]),
    false,
  ],
  [
    'name of a file',
    editFiles((files) => files.map((file) => ({ ...file, name: UNSAFE_NAME, type: 'text/html' }))),
    false,
  ],
  ['title', (view) => ({ ...view, title: UNSAFE_NAME }), false],
  ['kind, to raw', (view) => ({ ...view, kind: 'raw', text: FORGED }), true],
  ['kind, to public', (view) => ({ ...view, kind: 'public', isPublic: true, title: FORGED }), false],
  ['URL', (view) => ({ ...view, url: `${EVIL}/collect/x` }), false],
]

describe('a submission with two files', () => {
  const NAMES = ['zwei ☃.txt', 'ä.txt']

  test.each(CHANGED_FILES)(
    'CRY-19: with a changed %s: request collect writes genuine files only',
    async (_, alter, reported) => {
      const { stdout } = await run(['request', 'create', '--show-collect-link', '--json'], { env })
      const { link, collect_link: collect } = JSON.parse(stdout.toString())
      const paths = await Promise.all(NAMES.map((name) => cli.writeFile(name, `Inhalt von ${name}`)))
      const submitted = await run(['request', 'submit', link, '--text', '-', '--file', ...paths], {
        stdin: 'echt ☃',
        env,
      })
      expect(submitted.code, submitted.stderr).toBe(0)
      change(/\/secret\/[\w-]{22}$/, alter)
      const folder = await mkdtemp(join(cli.folder, 'saved-'))
      const ran = await run(['request', 'collect', '-', '--out-dir', folder], { stdin: collect, env })
      const output = ran.stdout.toString() + ran.stderr
      expect(output).not.toMatch(/FORGED|evil|(?![\n\t])\p{Cc}|\u202e/u)
      expect(['', 'echt ☃']).toContain(ran.stdout.toString().trim())
      for (const name of await readdir(folder)) {
        expect(NAMES).toContain(name)
        expect(await readFile(join(folder, name), 'utf8')).toBe(`Inhalt von ${name}`)
      }
      const isSaid = ran.code !== 0 || ran.stderr.includes('lists different files')
      if (reported) expect(isSaid, ran.stderr).toBe(true)
      else if (ran.code === 0) expect((await readdir(folder)).sort()).toEqual(NAMES.toSorted())
    },
  )
})

const LIST = /\/request\/[\w-]{22}\/collect$/
const CHANGED_LISTS: [what: string, change: (list: Document) => Document][] = [
  ['note', (list) => ({ ...list, note: FORGED })],
  ['expiry', (list) => ({ ...list, expiresAt: Number(list.expiresAt) + 9 * DAY_MS })],
  ['number of files', editSubmissions((each) => ({ ...each, files: 7 }))],
  ['size', editSubmissions((each) => ({ ...each, size: 2 ** 50 }))],
  ['id, to an unknown one', editSubmissions((each) => ({ ...each, id: 'AAAAAAAAAAAAAAAAAAAAAA' }))],
  ['id with escape characters', editSubmissions((each) => ({ ...each, id: UNSAFE_NAME }))],
  ['URL', (list) => ({ ...list, url: `${EVIL}/collect/x` })],
]
function editSubmissions(alter: (submission: Document) => Document) {
  return (list: Document) => ({ ...list, submissions: (list.submissions as Document[]).map(alter) })
}

test.each(CHANGED_LISTS)(
  'CRY-19: a changed %s of the list: request collect prints the genuine text or nothing',
  async (_, alter) => {
    const { stdout } = await run(['request', 'create', '--show-collect-link', '--json'], { env })
    const { link, collect_link: collect } = JSON.parse(stdout.toString())
    expect((await run(['request', 'submit', link], { stdin: 'echt ☃', env })).code).toBe(0)
    change(LIST, alter)
    const ran = await run(['request', 'collect', '-', '--text-only'], { stdin: collect, env })
    expect(ran.stdout.toString() + ran.stderr).not.toMatch(/FORGED|evil|(?![\n\t])\p{Cc}|\u202e/u)
    expect(ran.stdout.toString()).toBe(ran.code === 0 ? 'echt ☃' : '')
    proxy.fail(null)
    // The list alone uses no view.
    if (ran.code !== 0)
      expect((await run(['request', 'collect', '-'], { stdin: collect, env })).stdout.toString()).toBe('echt ☃')
  },
)

/** An attacker with write access to the database knows id and recipient of a request, but neither of its links. */
test.each([
  ['with a tag of another key', () => new Uint8Array(32).fill(7)],
  ['with the tag of another request', async () => (await createRequestKeys(null)).keys.authenticKey],
])('CRY-19: a submission %s is refused, and nothing is written', async (_, makeKey) => {
  const { stdout } = await run(['request', 'create', '--show-collect-link', '--json'], { env })
  const { link, collect_link: collect } = JSON.parse(stdout.toString())
  const opened = run(['request', 'submit', link], { stdin: 'IBAN DE02 1203', env, cwd: cli.folder })
  expect((await opened).code).toBe(0)
  const { id, requestKey } = parseCollectLink(collect)
  const { body } = await createRequestKeys(null, requestKey)
  const expiresAt = Date.now() + 60_000
  const draft = { authenticKey: await makeKey(), requestId: id, text: encodeText(FORGED), expiresAt }
  const { text: forged } = await encryptSubmission(draft, body.recipient)
  change(/\/secret\/[\w-]{22}$/, (document) => ({ ...document, text: forged }))
  const before = await readdir(cli.folder)
  const ran = await run(['request', 'collect', '-', '--output', 'answer'], { stdin: collect, env, cwd: cli.folder })
  expect({ code: ran.code, stdout: ran.stdout.toString() }, ran.stderr).toEqual({ code: 5, stdout: '' })
  expect(ran.stderr).toContain('this submission was not made with your request link')
  expect(ran.stdout.toString() + ran.stderr).not.toContain('FORGED')
  expect(await readdir(cli.folder)).toEqual(before)
})

describe('request collect', () => {
  const UNSEEN = { requestId: 'AAAAAAAAAAAAAAAAAAAAAA', authenticKey: new Uint8Array(32).fill(7) }

  /** A request of two submissions that someone with the submit proof, or the server, made as `options` says. */
  async function createRequest(options: Partial<typeof UNSEEN>[]) {
    const { stdout } = await run(['request', 'create', '--show-collect-link', '--json', '--submissions', '2'], { env })
    const { collect_link: collect } = JSON.parse(stdout.toString())
    const { id, requestKey } = parseCollectLink(collect)
    const { keys, body } = await createRequestKeys(null, requestKey)
    const draft = { requestId: id, authenticKey: keys.authenticKey, expiresAt: Date.now() + 60_000 }
    const requests = createRequestClient({ server: cli.server.url })
    const seal = async (forged: Partial<typeof UNSEEN>, at: number) =>
      encryptSubmission({ ...draft, ...forged, text: encodeText(`Antwort ${at}`) }, body.recipient)
    const sealed = await Promise.all(options.map(seal))
    for (let at = 0; at < 2; at++) {
      const submission = sealed[at] ?? sealed[0] ?? expect.fail('no submission')
      await requests.submit(id, { submit: keys.submitProof, ...submission }, newClaim())
    }
    const read = () => run(['request', 'collect', '-'], { stdin: collect, env: { ...env, HOME: cli.folder } })
    return { read }
  }

  test.each([
    ['with a wrong tag', { authenticKey: UNSEEN.authenticKey }, 5],
    ['of another request', { requestId: UNSEEN.requestId }, 5],
  ])('CRY-20: deletes a submission %s, and the next run opens the next one', async (_, forged, code) => {
    const { read } = await createRequest([forged, {}])
    const first = await read()
    expect(first).toMatchObject({ code, stdout: Buffer.alloc(0) })
    expect(first.stderr).toContain('it was deleted; run it again for the next submission')
    await cli.server.app.audit.flush()
    const entries = await cli.server.app.storage.audit.list({}, { skip: 0, take: 20 })
    expect(entries.map(({ action }) => action)).toContain('secret.damaged')
    expect(await read()).toMatchObject({ code: 0, stdout: Buffer.from('Antwort 1') })
    expect(await read()).toMatchObject({ code: 3 })
  })

  test('CRY-20: warns of content that was opened before', async () => {
    const { read } = await createRequest([{}])
    const repeated = 'the same submission was opened before'
    const [first, second] = [await read(), await read()]
    expect(first.stderr).not.toContain(repeated)
    expect(second).toMatchObject({
      code: 0,
      stdout: Buffer.from('Antwort 0'),
      stderr: expect.stringContaining(repeated),
    })
  })
})

test('another recipient stops a submission before anything is encrypted', async () => {
  const { stdout } = await run(['request', 'create', '--show-collect-link', '--json'], { env })
  const { link } = JSON.parse(stdout.toString())
  const { recipient } = (await createRequestKeys(null)).body
  change(/\/open$/, (document) => ({ ...document, recipient }))
  const before = await readdir(cli.folder)
  const { code, stderr } = await run(['request', 'submit', link], { stdin: 'geheim', env, cwd: cli.folder })
  expect({ code, stderr }).toEqual({ code: 9, stderr: expect.stringContaining('this request was tampered with') })
  expect(await readdir(cli.folder)).toEqual(before)
})
