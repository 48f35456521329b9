/** `mayfly login` on a terminal, and the program for a user without a home. */

import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { needs } from '#test/needs'
import { run } from '#test/run-cli'
import { shell, terminal } from '#test/spawn-cli'
import { CLI, type RunningServer, startServer } from '#test/start-server'

// Each test starts several processes.
vi.setConfig({ testTimeout: 120_000 })

const PASSWORD = 'correct horse battery'

let data: string
let home: string
let server: RunningServer
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'mayfly-login-'))
  server = await startServer({ dataDir: data, env: { MAYFLY_PLUGINS: ',' } })
  const env = { MAYFLY_DATA_DIR: data, MAYFLY_PLUGINS: ',' }
  await writeFile(join(data, 'pw'), PASSWORD)
  const add = ['user', 'add', 'anna', '--email', 'anna@example.org', '--password-file', join(data, 'pw')]
  expect(await run(add, { env })).toMatchObject({ code: 0 })
})
afterAll(async () => {
  await server.stop()
  await rm(data, { recursive: true })
})
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'mayfly-home-'))
})
afterEach(() => rm(home, { recursive: true }))

const asNumber = (...more: string[]) => {
  const who = ['setpriv', '--reuid', '12345', '--regid', '12345', '--clear-groups']
  return [...who, ...more, process.execPath, CLI]
}
/** If the folder of this program is private, it is opened to other users, which makes the test weaker. */
const LET_IN = ['--inh-caps', '+dac_read_search', '--ambient-caps', '+dac_read_search']
/** Only root can change its user. */
const somebody = [asNumber(), asNumber(...LET_IN)].find((line) => spawnSync('env', [...line, 'version']).status === 0)

test('login works for a user without name and home folder', needs('root', 'setpriv'), async () => {
  const mayfly = somebody?.join(' ')
  for (const home of ['unset HOME', `export HOME='${data}'`]) {
    const line = `${home}; printf täxt | ${mayfly} secret create -q | ${mayfly} secret read -q -`
    const { stdout, stderr, code } = await shell(line, { env: { MAYFLY_SERVER: server.url } })
    expect({ stdout: stdout.toString(), stderr, code }).toEqual({ stdout: 'täxt', stderr: '', code: 0 })
  }
})

test('SEC-34: login asks on a terminal and hides the password', needs('script'), async () => {
  const env = { XDG_CONFIG_HOME: home }
  const asked = terminal(`mayfly login ${server.url}`, { env, cwd: home })
  await asked.sees(/User name:/)
  asked.types('anna\n')
  await asked.sees(/Password:/)
  asked.types(`${PASSWORD}\n`)
  await asked.sees(/signed in as anna/)
  expect(await asked.ended).toBe(0)
  expect(asked.screen()).not.toContain(PASSWORD)
})
