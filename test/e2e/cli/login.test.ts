/** `mayfly login` on a terminal, and the program for a user without a home. */

import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { approveDevice, findUserCode } from '#test/approve-device'
import { freePort } from '#test/free-port'
import { needs } from '#test/needs'
import { run } from '#test/run-cli'
import { shell, terminal } from '#test/spawn-cli'
import { CLI, type RunningServer, startServer } from '#test/start-server'

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
const asUser = [asNumber(), asNumber(...LET_IN)].find((line) => spawnSync('env', [...line, 'version']).status === 0)

test('login works for a user without name and home folder', needs('root', 'setpriv'), async () => {
  const mayfly = asUser?.join(' ')
  for (const home of ['unset HOME', `export HOME='${data}'`]) {
    const line = `${home}; printf täxt | ${mayfly} secret create -q | ${mayfly} secret read -q -`
    const { stdout, stderr, code } = await shell(line, { env: { MAYFLY_SERVER: server.url } })
    expect({ stdout: stdout.toString(), stderr, code }).toEqual({ stdout: 'täxt', stderr: '', code: 0 })
  }
})

test('login opens the browser where there is a display, and ends with Ctrl-C', needs('script'), async () => {
  await writeFile(join(home, 'xdg-open'), `#!/bin/sh\nprintf '%s' "$1" > '${home}/opened'\n`, { mode: 0o755 })
  const env = { XDG_CONFIG_HOME: home, DISPLAY: ':9', PATH: `${home}:${process.env.PATH}` }
  const asked = terminal(`mayfly login ${server.url}`, { env, cwd: home })
  await asked.sees(/open http:\S+\/account\/device\?code=/)
  const code = findUserCode(await asked.sees(/check that it shows the code [A-Z]{4}-[A-Z]{4}/)) ?? ''
  await asked.sees(/waiting for approval in the browser/)
  const opened = () => readFile(join(home, 'opened'), 'utf8').catch(() => '')
  await expect.poll(opened, { timeout: 60_000 }).toBe(`${server.url}/account/device?code=${code}`)
  await approveDevice(server.url, { username: 'anna', password: PASSWORD }, code)
  await asked.sees(/signed in as anna/)
  expect(await asked.ended).toBe(0)
  await rm(join(home, 'opened'))

  for (const [flags, more] of [
    ['--no-browser', {}],
    ['', { SSH_CONNECTION: '192.0.2.1 1 192.0.2.2 22' }],
    ['', { DISPLAY: '' }],
  ] as const) {
    const stopped = terminal(`mayfly login ${server.url} ${flags}`, { env: { ...env, ...more }, cwd: home })
    await stopped.sees(/waiting for approval in the browser/)
    stopped.types('\x03')
    await stopped.sees(/error:.* interrupted/)
    expect(await stopped.ended).toBe(130)
  }
  // It would have been opened before the program ended.
  expect(await opened()).toBe('')
})

test('login survives a restart of the server', needs('script'), async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'mayfly-login-'))
  const port = await freePort()
  const start = () => startServer({ dataDir, env: { MAYFLY_PLUGINS: ',' }, args: ['--port', String(port)] })
  const first = await start()
  const env = { MAYFLY_DATA_DIR: dataDir, MAYFLY_PLUGINS: ',' }
  const add = ['user', 'add', 'anna', '--email', 'anna@example.org', '--password-file', join(data, 'pw')]
  expect(await run(add, { env })).toMatchObject({ code: 0 })
  const asked = terminal(`mayfly login ${first.url}`, { env: { XDG_CONFIG_HOME: home }, cwd: home })
  const code = findUserCode(await asked.sees(/check that it shows the code [A-Z]{4}-[A-Z]{4}/)) ?? ''
  await asked.sees(/waiting for approval in the browser/)
  await first.stop()
  await asked.sees(/the server does not respond; trying again/)
  const second = await start()
  await approveDevice(second.url, { username: 'anna', password: PASSWORD }, code)
  await asked.sees(/signed in as anna/)
  expect(await asked.ended).toBe(0)
  await second.stop()
  await rm(dataDir, { recursive: true })
})
