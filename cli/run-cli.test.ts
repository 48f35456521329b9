/** One run of the command line in process: exit codes, isolation and clean-up. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { run, testIo } from '#test/run-cli'
import { endRun, interruptible, onExit } from './lib/signals.js'
import { COMMANDS } from './program.js'
import { runCli } from './run-cli.js'

let server: LocalServer
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-run-cli-'))
  server = await startLocalServer()
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

test('runCli returns the exit code and does not change process.exitCode', async () => {
  const { io, stderr } = testIo()
  expect(await runCli(['frobnicate'], io)).toBe(2)
  expect(`${stderr()}`).toContain('unknown command')
  expect(process.exitCode).toBeUndefined()
})

test('runCli without arguments prints a short help on a terminal', async () => {
  const { io, stdout } = testIo({ isTTY: { stdin: true, stdout: true, stderr: true } })
  expect(await runCli([], io)).toBe(0)
  expect(`${stdout()}`).toMatch(/^Share secrets through links that work once/)
})

test('--help is as wide as the terminal', async () => {
  /** Lines of the descriptions of flags, which are wrapped. */
  const linesOf = async (columns: number) => {
    const { io, stdout } = testIo({ isTTY: { stdout: true } })
    Object.assign(io.stdout, { columns })
    await runCli(['secret', 'create', '--help'], io)
    const [, options = ''] = `${stdout()}`.split(/^Options:\n/m)
    return (options.split('\n\n')[0] ?? '').split('\n')
  }
  const [narrow, wide] = [await linesOf(80), await linesOf(160)]
  expect(narrow.length).toBeGreaterThan(wide.length)
  expect(Math.max(...wide.map((line) => line.length))).toBeGreaterThan(80)
})

test('--help lists each command below the heading of its group', async () => {
  const help = `${(await run(['--help'])).stdout}`
  const headings = ['Commands for secrets:', 'Commands for the instance:', 'Other commands:']
  const [, secrets = '', instance = '', others = ''] = help.split(/^(?:Commands for .*|Other commands):\n/m)
  expect([...help.matchAll(/^.*[Cc]ommands.*:$/gm)].map(([line]) => line)).toEqual(headings)
  const counts = [secrets, instance, others].map((part) => part.match(/^ {2}[a-z]/gm)?.length ?? 0)
  expect(counts.reduce((sum, count) => sum + count)).toBe(COMMANDS.length)
  expect(secrets).toMatch(/^ {2}request collect /m)
  expect(secrets).toMatch(/^ {2}webhook list /m)
  expect(instance).toMatch(/^ {2}setup /)
  expect(others).toMatch(/^ {2}completion /m)
})

test('tables are aligned on a terminal and tab-separated in a pipe', async () => {
  const env = { MAYFLY_PLUGINS: ',', MAYFLY_DATA_DIR: join(folder, 'tables') }
  const args = ['settings', 'list']
  expect(await run(['migrate'], { env })).toMatchObject({ code: 0 })
  const { io, stdout } = testIo({ env, isTTY: { stdout: true } })
  expect(await runCli(args, io)).toBe(0)
  expect(`${stdout()}`).toMatch(/^NAME +VALUE\n/)
  expect(`${(await run(args, { env })).stdout}`).toMatch(/^read_only\tfalse$/m)
})

test('parallel runs use their own folder, environment and stdin', async () => {
  const texts = ['one', 'two', 'three']
  const links = await Promise.all(
    texts.map(async (text) => {
      const env = { MAYFLY_SERVER: server.url, XDG_CONFIG_HOME: join(folder, text) }
      return (await run(['secret', 'create'], { stdin: text, env, cwd: folder })).stdout.toString()
    }),
  )
  const read = await Promise.all(links.map((link) => run(['secret', 'read', '-'], { stdin: link })))
  expect(read.map(({ stdout }) => `${stdout}`)).toEqual(texts)
})

test('a failed command removes its unfinished files', async () => {
  const cwd = await mkdtemp(join(folder, 'output-'))
  const { code } = await run(['secret', 'create', '-s', server.url, '--output', 'link'], { cwd, stdin: '' })
  expect(code).toBe(2)
  expect(await readdir(cwd)).toEqual([])
})

describe('signals', () => {
  const listeners = () => ['SIGINT', 'SIGTERM', 'SIGHUP', 'exit'].map((event) => process.listenerCount(event))

  test('handlers are installed while a run has cleanup callbacks', () => {
    const before = listeners()
    const [one, other] = [testIo().io.cleanup, testIo().io.cleanup]
    const cleaned: string[] = []
    onExit(one, () => cleaned.push('one'))
    onExit(other, () => cleaned.push('other'))
    expect(listeners()).toEqual(before.map((count) => count + 1))
    endRun(one)
    expect(cleaned).toEqual(['one'])
    expect(listeners()).toEqual(before.map((count) => count + 1))
    endRun(other)
    endRun(other)
    expect(cleaned).toEqual(['one', 'other'])
    expect(listeners()).toEqual(before)
  })

  test('a signal aborts all runs with CliError interrupted', async () => {
    // After a signal the program ends within 10 s in any case.
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const endings = [testIo().io.cleanup, testIo().io.cleanup]
    const work = endings.map((ending) =>
      interruptible(
        ending,
        (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      ),
    )
    process.emit('SIGHUP', 'SIGHUP')
    for (const each of work) await expect(each).rejects.toMatchObject({ outcome: 'interrupted' })
    for (const ending of endings) endRun(ending)
    vi.useRealTimers()
  })
})
