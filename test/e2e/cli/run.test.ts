/** `mayfly run` as a process: signals, the terminal, and arguments that other processes can see. */

import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CliFixture, startCliFixture } from '#test/cli-fixture'
import { needs } from '#test/needs'
import { shell, spawnCli, terminal } from '#test/spawn-cli'
import { CLI } from '#test/start-server'

const VALUE = 'canary pässwörd $HOME "4711"'

let cli: CliFixture
let folder: string
beforeAll(async () => {
  cli = await startCliFixture()
  folder = cli.folder
})
afterAll(() => cli?.stop())

test('run forwards SIGTERM to the command', async () => {
  const link = await cli.createSecret('x')
  const script = 'trap "echo got TERM; exit 7" TERM; echo up > up; while :; do sleep 0.1; done'
  const line = `rm -f up; mayfly run --env "A=$LINK" -- sh -c '${script}' & until [ -e up ]; do sleep 0.1; done; kill -TERM $!; wait $!`
  // A function would run in a shell between this test and the program.
  const { stdout, code } = await shell(line.replace('mayfly run', '"$NODE" "$CLI" run'), {
    env: { LINK: link, NODE: process.execPath, CLI: CLI },
    cwd: folder,
  })
  expect(stdout.toString()).toBe('got TERM\n')
  expect(code).toBe(7)
})

test('Ctrl-C on a terminal reaches the command only once', needs('script'), async () => {
  await cli.writeFile('links', `A=${await cli.createSecret('x')}`)
  // Not a shell, which treats two simultaneous signals as one.
  const script = `let count = 0
    process.on('SIGINT', () => count++ || setTimeout(() => { console.log('got ' + count); process.exit(9) }, 500))
    setInterval(() => {}, 1000)
    console.log('up')`
  await cli.writeFile('script.mjs', script)
  const tty = terminal(`mayfly run --links links -- '${process.execPath}' script.mjs`, { cwd: folder })
  await tty.sees(/up\r\n/)
  tty.types('\x03')
  await tty.sees(/got 1\r\n/)
  expect(await tty.ended).toBe(9)
})

test('SEC-34: run passes no link and no value as an argument', async () => {
  const link = await cli.createSecret(VALUE)
  const path = await cli.writeFile('links', `A=${link}`)
  await spawnCli(['run', '--links', path, '--', 'sh', '-c', `cat /proc/[0-9]*/cmdline > '${folder}/seen'; true`])
  const seen = await readFile(`${folder}/seen`, 'latin1')
  expect(seen).toContain('--links')
  expect(seen).not.toContain(link.split('#')[1])
  expect(seen).not.toContain(VALUE)
})
