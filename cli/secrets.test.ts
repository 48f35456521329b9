import { execFileSync } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '#shared/client/client'
import { newClaim } from '#shared/crypto/keys'
import { formatReceiptLink } from '#shared/receipt-link'
import { type CliFixture, startCliFixture } from '#test/cli-fixture'
import type { LocalServer } from '#test/local-server'
import { run, testIo } from '#test/run-cli'
import { shell } from '#test/spawn-cli'
import { runCli } from './run-cli.js'

const TEXT = 'pässwörd ☃\nsecond line\n'
const LINK = /^http:\/\/localhost:\d+\/secret\/[\w-]{22}#1[\w-]{45}\n$/

let cli: CliFixture
let server: LocalServer
let folder: string
let env: Record<string, string>
beforeAll(async () => {
  // Without uploads, so that bytes are sent as texts. files.test.ts tests files.
  cli = await startCliFixture({ MAYFLY_VISITOR_UPLOADS: 'false' })
  server = cli.server
  folder = cli.folder
  env = cli.env
})
afterAll(() => cli?.stop())

const create: CliFixture['createSecret'] = (stdin, ...flags) => cli.createSecret(stdin, ...flags)
const read = (link: string, ...flags: string[]) => cli.readSecret(link, ...flags)
const file = (name: string, content: string | Uint8Array) => cli.writeFile(name, content)

/** Ends the lifetime of a secret now. */
async function expire(id: string): Promise<void> {
  const { secrets } = server.app.storage
  const { maxViews, allowedIp, expiresAt } = (await secrets.peek(id, Date.now())) ?? expect.fail('no secret')
  const limits = { maxViews, allowedIp, expiresAt }
  expect(
    await secrets.changeLimits({ id, now: Date.now(), from: limits, to: { ...limits, expiresAt: Date.now() } }),
  ).toBe(true)
}

describe('secret create', () => {
  test('prints the link to stdout and messages to stderr', async () => {
    const { stdout, stderr, code } = await run(['secret', 'create'], { stdin: TEXT, env })
    expect(stdout.toString()).toMatch(LINK)
    expect(stderr).toMatch(/^mayfly: created: opens once, expires in 1 day \(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\)\n$/)
    expect(code).toBe(0)
  })

  test('--receipt prints a receipt link to stderr, and secret status shows what became of the secret', async () => {
    const { stdout, stderr } = await run(['secret', 'create', '--receipt', '--views', '2'], { stdin: TEXT, env })
    expect(stdout.toString()).toMatch(LINK)
    const [, receipt = ''] = /^Receipt: (http:\/\/localhost:\d+\/receipt#1[\w-]{45})$/m.exec(stderr) ?? []
    const status = (...flags: string[]) => run(['secret', 'status', '-', ...flags], { stdin: receipt })
    const waiting = (await status()).stdout.toString()
    expect(waiting).toMatch(/^state\twaiting\nviews\t0 of 2\ncreated_at\t\S+Z\nexpires_at\t\S+Z\n$/)
    expect((await read(stdout.toString().trim())).code).toBe(0)
    expect((await status()).stdout.toString()).toMatch(/^state\topened\nviews\t1 of 2\n[\s\S]*\nopened\t\S+Z\n$/)
    expect((await read(stdout.toString().trim())).code).toBe(0)
    const document = JSON.parse((await status('--json')).stdout.toString())
    expect(document).toMatchObject({ state: 'used-up', views: 2, views_limit: 2, wrong_passwords: 0 })
    expect(document.opened).toMatchObject([
      { network: null, browser: null },
      { network: null, browser: null },
    ])
  })

  test('secret status shows three wrong passwords, and that the secret expired unread', async () => {
    const passwordFile = await file('receipt-password', 'swördfish')
    const wrongFile = await file('receipt-wrong', 'falsch')
    const created = await run(['secret', 'create', '--receipt', '--password-file', passwordFile], { stdin: TEXT, env })
    const [, receipt = ''] = /^Receipt: (\S+)$/m.exec(created.stderr) ?? []
    const status = async () => {
      const { stdout } = await run(['secret', 'status', '-', '--json'], { stdin: receipt })
      return JSON.parse(stdout.toString())
    }
    const link = created.stdout.toString().trim()
    for (let tries = 0; tries < 3; tries++) expect((await read(link, '--password-file', wrongFile)).code).toBe(5)
    expect(await status()).toMatchObject({ state: 'waiting', views: 0, wrong_passwords: 3 })
    await expire(new URL(link).pathname.split('/').at(-1) as string)
    expect(await status()).toMatchObject({ state: 'expired', views: 0, wrong_passwords: 3 })
  })

  test('--receipt --json has the receipt, and a wrong receipt is reported', async () => {
    const created = await run(['secret', 'create', '--receipt', '--json'], { stdin: TEXT, env })
    const { receipt, link } = JSON.parse(created.stdout.toString())
    expect(created.stderr).not.toContain('Receipt:')
    expect(await run(['secret', 'status', '-'], { stdin: receipt })).toMatchObject({ code: 0 })
    expect(await run(['secret', 'status', '-'], { stdin: link })).toMatchObject({ code: 2 })
    expect(await run(['secret', 'status', '-'], { stdin: receipt.slice(0, -1) })).toMatchObject({ code: 5 })
    const unknown = formatReceiptLink({ base: server.url, token: 'A'.repeat(43) })
    expect(await run(['secret', 'status', '-'], { stdin: unknown })).toMatchObject({ code: 3 })
  })

  test('--quiet prints only the link', async () => {
    const { stdout, stderr } = await run(['secret', 'create', '-q'], { stdin: TEXT, env })
    expect(stdout.toString()).toMatch(LINK)
    expect(stderr).toBe('')
  })

  test('--json prints one document with stable keys', async () => {
    const { stdout } = await run(['secret', 'create', '--json', '--views', '3', '--generate-password'], {
      stdin: TEXT,
      env,
    })
    const document = JSON.parse(stdout.toString())
    expect(Object.keys(document)).toEqual([
      'id',
      'kind',
      'link',
      'key',
      'link_without_key',
      'expires_at',
      'views',
      'has_password',
      'burn_token',
      'files',
      'password',
    ])
    expect(document).toMatchObject({ kind: 'sealed', views: 3, has_password: true })
    expect(document.link_without_key).toMatch(/#0$/)
    expect(document.link).toBe(document.link_without_key.replace(/0$/, document.key))
    expect(document.password).toMatch(/^([a-z]+-){5}\d\d$/)
  })

  test('--split prints the link without its key, then the key', async () => {
    const [keyless = '', key = ''] = (await create(TEXT, '--split')).split('\n')
    expect(keyless).toMatch(/\/secret\/[\w-]{22}#0$/)
    expect((await read(keyless, '--key-file', await file('key', `${key}\n`))).stdout.toString()).toBe(TEXT)
  })

  test('--output writes a file with mode 0600 and never overwrites', async () => {
    const path = join(folder, 'link.txt')
    const first = await run(['secret', 'create', '--output', path], { stdin: TEXT, env })
    expect(first.stdout).toHaveLength(0)
    expect(await readFile(path, 'utf8')).toMatch(LINK)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const second = await run(['secret', 'create', '--output', path], { stdin: TEXT, env })
    expect(second).toMatchObject({ code: 2, stderr: expect.stringContaining('--output exists already') })
    expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([])
  })

  test('--ttl, --views, --keep, --allow-ip and --title are applied by the server', async () => {
    const link = await create(TEXT, '--ttl', '2h', '--views', '3', '--title', 'Tïtle', '--allow-ip', '127.0.0.0/8')
    const peek = JSON.parse((await read(link, '--peek', '--json')).stdout.toString())
    expect(peek).toMatchObject({ views_left: 3, has_password: false, kind: 'sealed' })
    expect(Math.abs(Date.parse(peek.expires_at) - Date.now() - 7200_000)).toBeLessThan(30_000)
    expect(JSON.parse((await read(link, '--json')).stdout.toString())).toMatchObject({ title: 'Tïtle', views_left: 2 })
    const elsewhere = await create(TEXT, '--allow-ip', '203.0.113.7')
    expect((await read(elsewhere)).code).toBe(3)
    const kept = await create(TEXT, '--keep')
    for (const _ of [1, 2]) expect((await read(kept)).stdout.toString()).toBe(TEXT)
  })

  test('--public creates a public secret and warns', async () => {
    const { stdout, stderr } = await run(['secret', 'create', '--public', '--title', 'Open'], { stdin: TEXT, env })
    expect(stderr).toContain('warning: public secret: it is not encrypted')
    expect(stdout.toString()).not.toContain('#')
    expect((await read(stdout.toString())).stdout.toString()).toBe(TEXT)
    expect(await createClient({ server: server.url }).publicSecrets()).toMatchObject([{ title: 'Open' }])
  })

  test('--text sends the text and warns', async () => {
    const { stdout, stderr } = await run(['secret', 'create', '--text', 'from a flag'], { env })
    expect(stderr).toContain('warning: --text is visible in ps')
    expect((await read(stdout.toString())).stdout.toString()).toBe('from a flag')
  })

  test('reads the server from the config file', async () => {
    const path = await file('config.json', JSON.stringify({ server: server.url }))
    expect((await run(['secret', 'create', '--config', path], { stdin: TEXT })).stdout.toString()).toMatch(LINK)
    expect((await run(['secret', 'create'], { stdin: TEXT })).code).toBe(2)
  })

  test.each([
    ['an empty stdin', [], '', 'the secret is empty'],
    ['only a line end', [], '\n', 'the secret is empty'],
    ['--keep with --views', ['--keep', '--views', '2'], 'x', '--keep and --views'],
    ['--public with --split', ['--public', '--split'], 'x', '--public and --split'],
    ['an invalid duration', ['--ttl', 'tomorrow'], 'x', '--ttl is not a duration'],
    ['a lifetime out of range', ['--ttl', '52w'], 'x', '--ttl is out of range'],
    ['an invalid number of views', ['--views', '0'], 'x', '--views must be 1 to 9999'],
    ['--notify without a plugin that notifies', ['--notify'], 'x', '--notify: '],
    ['an invalid IP address', ['--allow-ip', '10.0.0.999'], 'x', '--allow-ip: must be an IP address'],
    ['an empty password', ['--password-file', '/dev/null'], 'x', 'the password is empty'],
    ['two passwords', ['--password-file', 'a', '--password-fd', '3'], 'x', 'more than one password'],
    ['stdin for password and secret', ['--password-fd', '0'], 'x', 'stdin cannot be both the password and the secret'],
    ['--password without a terminal', ['--password'], 'x', 'missing password, and no terminal to ask on'],
    ['--generate-password without a terminal', ['--generate-password'], 'x', 'nowhere to print the generated password'],
    ['a public secret that is not text', ['--public'], Buffer.from([0xff]), 'a public secret must be text'],
    ['a password as a value', ['--password=hunter2'], 'x', '--password takes no value'],
    ['plain http', ['--server', 'http://secrets.example.org'], 'x', 'plain http to secrets.example.org is not allowed'],
    ['an invalid server URL', ['--server', 'secrets.example.org'], 'x', 'invalid server URL'],
  ])('exits with 2 for %s', async (_, flags, stdin, message) => {
    const { stdout, stderr, code } = await run(['secret', 'create', ...flags], { stdin, env })
    expect(stderr).toContain(`mayfly: error: ${message}`)
    expect(stderr).not.toContain('hunter2')
    expect(stdout).toHaveLength(0)
    expect(code).toBe(2)
  })
})

describe('content', () => {
  test.each([
    ['a single line keeps its line end', 'one line ☃\n', 'one line ☃\n'],
    ['a single line keeps its CRLF', 'one line\r\n', 'one line\r\n'],
    ['a line without line end is unchanged', 'one line', 'one line'],
    ['several lines are unchanged', 'two\nlines\n', 'two\nlines\n'],
    ['an empty last line is unchanged', 'one\n\n', 'one\n\n'],
    ['a byte order mark is unchanged', '\ufeffone', '\ufeffone'],
    ['binary data is unchanged', Buffer.from([0xff, 0x0a]), Buffer.from([0xff, 0x0a])],
    ['a line with a NUL is unchanged', Buffer.from([0x61, 0, 0x0a]), Buffer.from([0x61, 0, 0x0a])],
  ])('%s', async (_, stdin, expected) => {
    expect((await read(await create(stdin))).stdout).toEqual(Buffer.from(expected))
  })

  test.each([
    ['one line ☃\n', 'one line ☃'],
    ['one line\r\n', 'one line'],
    ['two\nlines\n', 'two\nlines\n'],
    ['one\n\n', 'one\n\n'],
  ])('--chomp removes the line end of a single line: %j', async (stdin, expected) => {
    expect((await read(await create(stdin, '--chomp'))).stdout.toString()).toBe(expected)
  })

  test('a typed text loses the line end of Enter, unless --no-chomp is given', async () => {
    for (const [flags, expected] of [
      [[], 'täxt'],
      [['--no-chomp'], 'täxt\n'],
    ] as const) {
      const { io, stdout } = testIo({ stdin: 'täxt\n', env, isTTY: { stdin: true, stderr: true } })
      expect(await runCli(['secret', 'create', ...flags], io)).toBe(0)
      expect((await read(`${stdout()}`)).stdout.toString()).toBe(expected)
    }
  })

  test('secret create exits with 7 and sends nothing when the text is too large', async () => {
    const { stdout, stderr, code } = await run(['secret', 'create', '-v'], { stdin: Buffer.alloc(2 ** 20 + 1, 1), env })
    expect(stderr).toContain('error: the text is too large: this server accepts 1048576 bytes')
    expect(stderr).not.toContain('POST')
    expect(stdout).toHaveLength(0)
    expect(code).toBe(7)
  })
})

describe('secret read', () => {
  test('opens a secret once, then exits with 3', async () => {
    const link = await create(TEXT)
    expect(await read(link)).toMatchObject({ code: 0, stderr: 'mayfly: opened; the secret is gone now\n' })
    const { stdout, stderr, code } = await read(link)
    expect(stderr).toMatch(/^mayfly: error: not found: .*\nmayfly: hint: .*\n$/)
    expect(stdout).toHaveLength(0)
    expect(code).toBe(3)
  })

  test('accepts the link as an argument', async () => {
    expect((await run(['secret', 'read', await create(TEXT)])).stdout.toString()).toBe(TEXT)
  })

  test('--peek prints the facts and uses no view', async () => {
    const link = await create(TEXT)
    for (const _ of [1, 2]) {
      const { stdout } = await read(link, '--peek')
      const expected =
        /^kind {6}encrypted by the sender\nopens {5}1 more time\nexpires {3}in [^\n]+ \(\S+Z\)\nfiles {5}none\npassword {2}none\n$/
      expect(stdout.toString()).toMatch(expected)
    }
    expect((await read(link)).stdout.toString()).toBe(TEXT)
  })

  test('secret wait ends when the secret is gone and uses no view', async () => {
    const wait = (link: string, ...flags: string[]) => run(['secret', 'wait', '-', ...flags], { stdin: link })
    const link = await create(TEXT, '--views', '2')
    const waiting = wait(link, '--json')
    const first = await Promise.race([waiting, read(link)])
    expect(first.stdout.toString()).toBe(TEXT)
    expect((await wait(link, '--for', '1s')).code).toBe(6)
    expect((await read(link)).stdout.toString()).toBe(TEXT)
    const { stdout, code } = await waiting
    expect({ code, document: JSON.parse(stdout.toString()) }).toMatchObject({ code: 0, document: { gone: true } })
    expect((await wait(link)).code).toBe(3)
  })

  test('--json contains the text, or base64 for binary data', async () => {
    const facts = { kind: 'sealed', title: null, views_left: 0, mismatches: [] }
    expect(JSON.parse((await read(await create(TEXT), '--json')).stdout.toString())).toMatchObject({
      ...facts,
      text: TEXT,
    })
    const binary = Buffer.from([0, 0xff])
    const document = JSON.parse((await read(await create(binary), '--json')).stdout.toString())
    expect(document).toMatchObject({ ...facts, text: null, text_base64: binary.toString('base64') })
  })

  test('--output writes a file with mode 0600 and opens nothing when the file exists', async () => {
    const link = await create(TEXT)
    const taken = await file('taken', 'mine')
    expect(await read(link, '-o', taken)).toMatchObject({ code: 2 })
    expect(await read(link, '-o', join(folder, 'no/such/folder'))).toMatchObject({ code: 2 })
    expect(await readFile(taken, 'utf8')).toBe('mine')
    expect(await read(link, '-o', taken, '--yes')).toMatchObject({ code: 0 })
    expect(await readFile(taken, 'utf8')).toBe(TEXT)
    expect((await stat(taken)).mode & 0o777).toBe(0o600)
  })

  test('--output writes to devices, named pipes and stdout by its path', async () => {
    expect(await read(await create(TEXT), '-o', '/dev/null')).toMatchObject({ stdout: Buffer.alloc(0), code: 0 })
    expect(await read(await create(TEXT), '-o', '/dev/stdout')).toMatchObject({ stdout: Buffer.from(TEXT), code: 0 })
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const reading = read(await create(TEXT), '-o', pipe)
    expect(await readFile(pipe, 'utf8')).toBe(TEXT)
    expect(await reading).toMatchObject({ code: 0 })
  })

  test('opens a raw secret from the API, with and without password', async () => {
    const client = createClient({ server: server.url })
    const { url } = await client.create({ text: TEXT, ttl: 600, title: 'raw' }, newClaim())
    expect((await read(url)).stdout.toString()).toBe(TEXT)
    expect((await read(url)).code).toBe(3)
    const locked = await client.create({ text: TEXT, ttl: 600, password: 'hunter2' }, newClaim())
    expect((await read(locked.url, '--password-file', await file('wrong', 'hunter3'))).code).toBe(5)
    expect((await read(locked.url, '--password-file', await file('right', 'hunter2\n'))).stdout.toString()).toBe(TEXT)
  })

  test('exits with 5 and uses no view for a wrong password', async () => {
    const link = await create(TEXT, '--password-file', await file('password', 'pässwörd\n'))
    const wrong = await read(link, '--password-file', await file('wrong', 'nö'))
    expect(wrong.stderr).toBe(
      'mayfly: error: wrong password\nmayfly: hint: the secret was not used up; 9 attempts left\n',
    )
    expect(wrong).toMatchObject({ code: 5, stdout: Buffer.alloc(0) })
    const missing = await read(link)
    expect(missing.stderr).toContain('hint: use --password-file or --password-fd')
    expect(missing.code).toBe(2)
    const { stdout, code } = await shell(`mayfly secret read "$LINK" --password-fd 3 3<<< 'pässwörd'`, {
      env: { LINK: link },
    })
    expect(stdout.toString()).toBe(TEXT)
    expect(code).toBe(0)
  })

  test('rejects an incomplete link or a newer version without a request', async () => {
    const link = (await create(TEXT)) as string
    const cut = await read(link.slice(0, -1), '-v')
    expect(cut).toMatchObject({ code: 5, stderr: expect.stringContaining('incomplete') })
    const newer = await read(link.replace('#1', '#2'), '-v')
    expect(newer).toMatchObject({ code: 2, stderr: expect.stringContaining('newer version') })
    for (const { stderr } of [cut, newer]) expect(stderr).not.toContain('GET')
    expect((await read('https://example.org/', '-v')).code).toBe(2)
    expect((await read(link)).code).toBe(0)
  })

  test('exits with 3 and names --key-file for a link without key', async () => {
    const [keyless = ''] = (await create(TEXT)).split('#')
    expect(await read(keyless)).toMatchObject({ code: 3, stderr: expect.stringContaining('use --key-file') })
  })
})

test('--password-file - reads the password from stdin', async () => {
  const { stdout } = await run(['secret', 'create', '--text', TEXT, '--password-file', '-'], {
    stdin: 'pässwörd\n',
    env,
  })
  const link = stdout.toString().trim()
  const opened = await run(['secret', 'read', link, '--password-file', '-'], { stdin: 'pässwörd', env })
  expect({ code: opened.code, text: opened.stdout.toString() }).toEqual({ code: 0, text: TEXT })
})

describe('secret update', () => {
  const createJson = async (...flags: string[]) => {
    const { stdout } = await run(['secret', 'create', '--json', ...flags], { stdin: TEXT, env })
    return JSON.parse(stdout.toString()) as { id: string; link: string; burn_token: string }
  }

  test('lowers limits with the burn token, and names the flag of a limit that would rise', async () => {
    const { id, link, burn_token } = await createJson('--views', '5', '--ttl', '1h')
    const token = ['--burn-token-file', await file('update-token', burn_token)]
    const lowered = await run(['secret', 'update', id, '--views', '2', '--ttl', '10m', '--json', ...token], { env })
    expect(lowered.code).toBe(0)
    const document = { id, views_left: 2, expires_at: expect.stringMatching(/^\d{4}-.*Z$/), allowed_ip: null }
    expect(JSON.parse(lowered.stdout.toString())).toEqual(document)
    for (const [flag, value] of [
      ['--views', '3'],
      ['--ttl', '2h'],
    ] as const) {
      const refused = await run(['secret', 'update', id, flag, value, ...token], { env })
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(`error: ${flag} must be at most `) })
    }
    expect((await read(link)).code).toBe(0)
    expect((await run(['secret', 'update', id, '--views', '1', ...token], { env })).code).toBe(8)
  })

  test('needs something to change, and the burn token or a sign-in', async () => {
    const { id, link } = await createJson()
    expect((await run(['secret', 'update', id], { env })).code).toBe(2)
    expect((await run(['secret', 'update', id, '--views', '0'], { env })).code).toBe(2)
    expect((await run(['secret', 'update', link, '--ttl', '1m'], { env })).code).toBe(4)
    expect((await run(['secret', 'update', link, '--label', 'a\tb'], { env })).code).toBe(2)
    expect((await read(link)).code).toBe(0)
  })
})

describe('secret burn', () => {
  test('burns by link, then exits with 3', async () => {
    const link = await create(TEXT)
    expect(await run(['secret', 'burn', '-'], { stdin: link })).toEqual({
      code: 0,
      stderr: 'mayfly: burned\n',
      stdout: Buffer.alloc(0),
    })
    const again = await run(['secret', 'burn', link])
    expect(again).toMatchObject({ code: 3, stderr: expect.stringContaining('hint: files of an opened secret') })
    expect(again.stderr).toContain('--burn-token-file')
    expect((await read(link)).code).toBe(3)
  })

  test('burns by id and burn token', async () => {
    const { stdout } = await run(['secret', 'create', '--json'], { stdin: TEXT, env })
    const { id, burn_token, link } = JSON.parse(stdout.toString())
    const token = await file('token', `${burn_token}\n`)
    expect((await run(['secret', 'burn', id], { env })).code).toBe(2)
    const burned = await run(['secret', 'burn', id, '--burn-token-file', token, '--json'], { env })
    expect(burned).toMatchObject({ code: 0, stdout: Buffer.from('{"burned":true}\n') })
    expect((await read(link)).code).toBe(3)
  })

  test('burns a raw secret by id', async () => {
    const { id } = await createClient({ server: server.url }).create({ text: TEXT, ttl: 600 }, newClaim())
    expect((await run(['secret', 'burn', id], { env })).code).toBe(0)
  })

  test('exits with 2 for a link without key', async () => {
    const link = await create(TEXT)
    expect((await run(['secret', 'burn', link.split('#')[0] as string])).code).toBe(2)
    expect((await read(link)).code).toBe(0)
  })
})
