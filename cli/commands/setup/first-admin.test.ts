/** The first administrator from variables, as `mayfly serve` creates it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadInstanceConfig } from '#cli/instance/instance-config'
import { createApp, createLog } from '#core/runtime'
import { MEMORY_ENV } from '#test/memory-plugin'
import { run, testIo } from '#test/run-cli'
import { createAdminFromVariables } from './first-admin.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-admin-'))
  await writeFile(join(folder, 'password'), 'ein länglicher Satz 42\n')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const VARIABLES = {
  MAYFLY_ADMIN_USERNAME: 'Zoe-1',
  MAYFLY_ADMIN_EMAIL: 'zoe@example.org',
  MAYFLY_ADMIN_PASSWORD_FILE: 'password',
}

/** A process of the instance in the folder, and the lines of its log. */
async function openProcess(variables: Record<string, string>) {
  const env = { MAYFLY_PLUGINS: ',', MAYFLY_LIMITS: 'off', ...variables }
  const { io } = testIo({ env, cwd: folder })
  const { settings, plugins } = await loadInstanceConfig(undefined, {}, io)
  const own = { ...settings, dataDir: join(folder, 'data'), publicUrl: 'http://localhost:3000', anyAddress: true }
  const lines: string[] = []
  const log = createLog('info', 'json', (line) => void lines.push(line))
  const app = await createApp({ settings: own, plugins, log, version: '0.0.0' })
  return { app, lines, create: () => createAdminFromVariables(app, log, io) }
}

test('racing processes create one administrator, and later starts none', async () => {
  const processes = await Promise.all(
    ['zoe-1', 'other'].map((name) =>
      openProcess({ ...VARIABLES, MAYFLY_ADMIN_USERNAME: name, MAYFLY_ADMIN_EMAIL: `${name}@example.org` }),
    ),
  )
  await Promise.all(processes.flatMap(({ create }) => [create(), create()]))
  const [{ app }] = processes as [Awaited<ReturnType<typeof openProcess>>]
  const { users } = await app.storage.users.list({}, { skip: 0, take: 10 }, Date.now())
  expect(users).toHaveLength(1)
  expect(users[0]).toMatchObject({ role: 'admin', mustChangePassword: false })
  const lines = processes.flatMap(({ lines }) => lines).filter((line) => line.includes('first administrator created'))
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain(`"username":"${users[0]?.username}"`)
  expect(lines[0]).not.toContain('Satz')
  await Promise.all(processes.map(({ app }) => app.close()))
  const later = await openProcess({ ...VARIABLES, MAYFLY_ADMIN_PASSWORD_FILE: 'removed' })
  await later.create()
  expect(later.lines.join('')).not.toContain('first administrator')
  await later.app.close()
})

test.each([
  [{ MAYFLY_ADMIN_USERNAME: '' }, 'MAYFLY_ADMIN_USERNAME is missing'],
  [{ MAYFLY_ADMIN_EMAIL: '' }, 'MAYFLY_ADMIN_EMAIL is missing'],
  [{ MAYFLY_ADMIN_PASSWORD_FILE: '' }, 'MAYFLY_ADMIN_PASSWORD_FILE is missing'],
  [{ MAYFLY_ADMIN_USERNAME: 'x' }, 'MAYFLY_ADMIN_USERNAME: must be 4 to 20'],
  [{ MAYFLY_ADMIN_EMAIL: 'nowhere' }, 'MAYFLY_ADMIN_EMAIL: '],
  [{ MAYFLY_ADMIN_PASSWORD_FILE: 'removed' }, 'MAYFLY_ADMIN_PASSWORD_FILE: cannot read the file: ENOENT'],
  [{ MAYFLY_ADMIN_PASSWORD_FILE: 'weak' }, 'MAYFLY_ADMIN_PASSWORD_FILE: '],
])('serve with %j exits with 2 and names the variable', async (change, message) => {
  await writeFile(join(folder, 'weak'), 'password123\n')
  const env = { MAYFLY_PLUGINS: ',', ...MEMORY_ENV, MAYFLY_FILES: '', ...VARIABLES, ...change }
  const { code, stderr } = await run(['serve', '--port', '0'], { env, cwd: folder })
  expect(stderr).toContain(`mayfly: error: ${message}`)
  expect(stderr).not.toContain('password123')
  expect(code).toBe(2)
})
