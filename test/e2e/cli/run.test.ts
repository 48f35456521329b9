/** `mayfly run` as a process: signals, the terminal, and what other processes can see. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { needs } from '#test/needs'
import { run } from '#test/run-cli'
import { shell, spawnCli, terminal } from '#test/spawn-cli'
import { CLI } from '#test/start-server'

const VALUE = 'canary pässwörd $HOME "4711"'

// Each test starts several processes.
vi.setConfig({ testTimeout: 120_000 })

let server: LocalServer
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-run-'))
  server = await startLocalServer()
})
afterAll(async () => {
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function create(stdin: string | Uint8Array, ...flags: string[]): Promise<string> {
  const { stdout } = await run(['secret', 'create', ...flags], { stdin, env: { MAYFLY_SERVER: server.url } })
  return stdout.toString().trim()
}
const file = async (name: string, content: string) => {
  await writeFile(join(folder, name), content)
  return join(folder, name)
}

test('run forwards signals to the command', async () => {
  const link = await create('x')
  const script = 'trap "echo got TERM; exit 7" TERM; echo up > up; while :; do sleep 0.1; done'
  const line = `rm -f up; mayfly run --env "A=$LINK" -- sh -c '${script}' & until [ -e up ]; do sleep 0.1; done; kill -TERM $!; wait $!`
  // A function would be a shell of its own between us and the program.
  const { stdout, code } = await shell(line.replace('mayfly run', '"$NODE" "$CLI" run'), {
    env: { LINK: link, NODE: process.execPath, CLI: CLI },
    cwd: folder,
  })
  expect(stdout.toString()).toBe('got TERM\n')
  expect(code).toBe(7)
})

test('Ctrl-C on a terminal reaches the command once', needs('script'), async () => {
  await file('links', `A=${await create('x')}`)
  // Not a shell: that takes two signals at the same time for one.
  const script = `let count = 0
    process.on('SIGINT', () => count++ || setTimeout(() => { console.log('got ' + count); process.exit(9) }, 500))
    setInterval(() => {}, 1000)
    console.log('up')`
  await file('script.mjs', script)
  const tty = terminal(`mayfly run --links links -- '${process.execPath}' script.mjs`, { cwd: folder })
  await tty.sees(/up\r\n/)
  tty.types('\x03')
  await tty.sees(/got 1\r\n/)
  expect(await tty.ended).toBe(9)
})

test('no child process gets a link or a value as argument', async () => {
  const link = await create(VALUE)
  const path = await file('links', `A=${link}`)
  await spawnCli(['run', '--links', path, '--', 'sh', '-c', `cat /proc/[0-9]*/cmdline > '${folder}/seen'; true`])
  const seen = await readFile(join(folder, 'seen'), 'latin1')
  expect(seen).toContain('--links')
  expect(seen).not.toContain(link.split('#')[1])
  expect(seen).not.toContain(VALUE)
})
