/** Policies as the clients meet them: the command line says what the server accepts, and the library passes on its error. */
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

interface Attempt {
  client: 'secret' | 'request'
  flags: string[]
  options: object
  /** What the library reports from the server. */
  field: string
  code: number
  stderr: RegExp
  /** Flags that the policy allows; null: none. */
  allowed: string[] | null
}

const fileOf = (size: number) => [{ name: '☃.txt', content: new Uint8Array(size) }]
const secret = (attempt: Omit<Attempt, 'client'>): Attempt => ({ client: 'secret', ...attempt })
const request = (attempt: Omit<Attempt, 'client'>): Attempt => ({ client: 'request', ...attempt })

// biome-ignore format: a table with one row per attempt, which would take nine lines each
const CASES: [Policy, Attempt[]][] = [
  [{ lifetimes: [{ min: HOUR_S, max: HOUR_S }] }, [
    secret({  flags: ['--ttl', '2d'], options: { ttl: 48 * HOUR_S }, field: 'ttl', code: 2, stderr: /--ttl .*\n.*accepts 1h\n/, allowed: ['--ttl', '1h'] }),
    request({ flags: ['--ttl', '2d'], options: { ttl: 48 * HOUR_S }, field: 'ttl', code: 2, stderr: /--ttl .*\n.*accepts 1h\n/, allowed: [] }),
  ]],
  [{ maxViews: 1 }, [
    secret({ flags: ['--views', '2'], options: { maxViews: 2 },        field: 'maxViews',    code: 2, stderr: /--views .*\n.*up to 1 view\n/, allowed: ['--views', '1'] }),
    secret({ flags: ['--keep'],       options: { preventBurn: true },  field: 'preventBurn', code: 2, stderr: /--keep\n.*up to 1 view\n/,     allowed: [] }),
  ]],
  [{ password: 'required' }, [
    secret({ flags: [], options: {}, field: 'password', code: 2, stderr: /requires a password\n.*--generate-password\n/, allowed: ['--password-file', 'password'] }),
  ]],
  [{ requireAddress: true }, [
    secret({  flags: [], options: {}, field: 'allowedIp', code: 2, stderr: /requires an IP address .*\n.*--allow-ip\n/, allowed: ['--allow-ip', '10.0.0.0/8'] }),
    request({ flags: [], options: {}, field: 'allowedIp', code: 2, stderr: /requires an IP address .*\n.*--allow-ip\n/, allowed: ['--allow-ip', '10.0.0.0/8'] }),
  ]],
  [{ files: false }, [
    secret({ flags: ['--file', 'small'], options: { files: fileOf(9) }, field: 'size', code: 4, stderr: /accepts no files from you\n/, allowed: [] }),
  ]],
  [{ maxFileBytes: KIB }, [
    secret({ flags: ['--file', 'large'], options: { files: fileOf(KIB + 1) }, field: 'size', code: 7, stderr: /large is too large: .* 1024 bytes/, allowed: ['--file', 'small'] }),
  ]],
  [{ mayCreate: false }, [
    secret({ flags: [], options: {}, field: 'mayCreate', code: 4, stderr: /creating secrets is not allowed, by the policy for \w+\n/, allowed: null }),
  ]],
  [{ mayRequest: false }, [
    request({ flags: [], options: {}, field: 'mayRequest', code: 4, stderr: /creating requests is not allowed, by the policy for \w+\n/, allowed: null }),
  ]],
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
  test.each(CASES)('%j is what both clients follow', async (row, attempts) => {
    await server.app.settings.updatePolicies({ visitors: null, users: null, [audience]: row }, LOCAL)
    const signIn = audience === 'users' ? { MAYFLY_TOKEN: token } : {}
    const mayfly = (client: string, flags: string[]) =>
      run([client, 'create', ...flags], { stdin: 'x', cwd: folder, env: { MAYFLY_SERVER: server.url, ...signIn } })
    const connection = Object.assign({ server: server.url }, audience === 'users' ? { token } : {})
    for (const { client, flags, options, field, code, stderr, allowed } of attempts) {
      const refused = await mayfly(client, flags)
      expect(refused).toMatchObject({ code, stderr: expect.stringMatching(stderr) })
      expect(refused.stdout.toString()).toBe('')
      const send = client === 'secret' ? createSecret : createRequest
      const content = client === 'secret' ? { text: 'x' } : { title: 'x' }
      const sending = send(connection, Object.assign(content, options))
      await expect(sending).rejects.toMatchObject({ code: 'settings.policy', statusCode: 403, field })
      if (allowed !== null) expect(await mayfly(client, allowed)).toMatchObject({ code: 0 })
    }
  })
})
