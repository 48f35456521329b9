/** Policies in both clients: the command line prints what the server accepts, the library passes on its error. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Policy } from '#core/shared/policies'
import { createRequest, createSecret } from '#shared/library/index'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { run } from '#test/run-cli'

const LOCAL = { username: null, address: null }
const HOUR_S = 3600
const KIB = 1024

/** A policy, refused flags and options, the field of the server's error, exit code, stderr, and allowed flags. */
type Attempt = [
  row: Policy,
  client: 'secret' | 'request',
  flags: string,
  options: object,
  field: string,
  code: number,
  stderr: RegExp,
  allowed: string | null,
]

const fileOf = (size: number) => [{ name: '☃.txt', content: new Uint8Array(size) }]

const LIFETIME: Policy = { lifetimes: [{ min: HOUR_S, max: HOUR_S }] }
const TWO_DAYS = { ttl: 48 * HOUR_S }
const LARGE_FILE = { files: fileOf(KIB + 1) }
const ADDRESS = '--allow-ip 10.0.0.0/8'

const CASES: Attempt[] = [
  [LIFETIME, 'secret', '--ttl 2d', TWO_DAYS, 'ttl', 2, /--ttl .*\n.*accepts 1h\n/, '--ttl 1h'],
  [LIFETIME, 'request', '--ttl 2d', TWO_DAYS, 'ttl', 2, /--ttl .*\n.*accepts 1h\n/, ''],
  [{ maxViews: 1 }, 'secret', '--views 2', { maxViews: 2 }, 'maxViews', 2, /--views .*\n.*up to 1 view\n/, '--views 1'],
  [{ maxViews: 1 }, 'secret', '--keep', { preventBurn: true }, 'preventBurn', 2, /--keep\n.*up to 1 view\n/, ''],
  [{ password: 'required' }, 'secret', '', {}, 'password', 2, /requires a password\n/, '--password-file password'],
  [{ requireAddress: true }, 'secret', '', {}, 'allowedIp', 2, /requires an IP address .*\n.*--allow-ip\n/, ADDRESS],
  [{ requireAddress: true }, 'request', '', {}, 'allowedIp', 2, /requires an IP address .*\n.*--allow-ip\n/, ADDRESS],
  [{ files: false }, 'secret', '--file small', { files: fileOf(9) }, 'size', 4, /accepts no files from you\n/, ''],
  [{ maxFileBytes: KIB }, 'secret', '--file large', LARGE_FILE, 'size', 7, /too large: .* 1024 bytes/, '--file small'],
  [{ mayCreate: false }, 'secret', '', {}, 'mayCreate', 4, /secrets is not allowed, by the policy for \w+\n/, null],
  [{ mayRequest: false }, 'request', '', {}, 'mayRequest', 4, /requests is not allowed, by the policy for \w+\n/, null],
]

let folder: string
let server: LocalServer
let token: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mayfly-policies-'))
  writeFileSync(join(folder, 'small'), Buffer.alloc(KIB))
  writeFileSync(join(folder, 'large'), Buffer.alloc(KIB + 1))
  writeFileSync(join(folder, 'password'), 'correct horse battery')
  const dataDir = join(folder, 'data')
  server = await startLocalServer({ dataDir, instanceSettings: { who_can_request: 'anyone' } })
  const env = { MAYFLY_DATA_DIR: dataDir, MAYFLY_PLUGINS: ',' }
  const flags = ['--email', 'anna@example.org', '--password-file', join(folder, 'password'), '--no-must-change']
  expect(await run(['user', 'add', 'anna', ...flags], { env })).toMatchObject({ code: 0 })
  token = (await run(['user', 'token', 'anna'], { env })).stdout.toString().trim()
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

describe.each(['visitors', 'users'])('a policy for %s', (audience) => {
  test.each(CASES)('%j: both clients refuse %s create %s', async (...attempt) => {
    const [row, client, flags, options, field, code, stderr, allowed] = attempt
    await server.app.settings.policies.update(() => ({ [audience]: row }), LOCAL)
    const signIn = audience === 'users' ? { MAYFLY_TOKEN: token } : {}
    const env = Object.assign({ MAYFLY_SERVER: server.url }, signIn)
    const mayfly = (text: string) =>
      run([client, 'create', ...text.split(' ').filter(Boolean)], { stdin: 'x', cwd: folder, env })
    const refused = await mayfly(flags)
    expect(refused).toMatchObject({ code, stderr: expect.stringMatching(stderr) })
    expect(refused.stdout.toString()).toBe('')
    const connection = Object.assign({ server: server.url }, audience === 'users' ? { token } : {})
    const send = client === 'secret' ? createSecret : createRequest
    const content = client === 'secret' ? { text: 'x' } : { title: 'x' }
    const sending = send(connection, Object.assign(content, options))
    await expect(sending).rejects.toMatchObject({ code: 'settings.policy', statusCode: 403, field })
    if (allowed !== null) expect(await mayfly(allowed)).toMatchObject({ code: 0 })
  })
})

test('concurrent commands keep the changes of each other', async () => {
  const env = { MAYFLY_DATA_DIR: join(folder, 'data'), MAYFLY_PLUGINS: ',' }
  const change = (...words: string[]) => run(['settings', ...words], { env })
  const changes = [
    ['policy', 'users', 'maxViews=1'],
    ['policy', 'visitors', 'files=false'],
    ['policy', 'administrators', 'maxViews=2'],
    ['preset', 'One ☃', 'ttl=1d'],
    ['preset', 'Two', 'ttl=1d'],
    ['preset', 'Three', 'ttl=1d'],
  ]
  const ended = await Promise.all(changes.map((words) => change(...words)))
  expect(ended.map(({ code }) => code)).toEqual(changes.map(() => 0))
  const { presets, policies } = server.app.settings
  expect((await presets.read()).value.map(({ name }) => name).toSorted()).toEqual(['One ☃', 'Three', 'Two'])
  expect((await policies.read()).value).toMatchObject({
    users: { maxViews: 1 },
    visitors: { files: false },
    administrators: { maxViews: 2 },
  })
})
