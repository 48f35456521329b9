/** Io with different streams, flags and environments. */
import { PassThrough } from 'node:stream'
import { describe, expect, test, vi } from 'vitest'
import { testIo } from '#test/run-cli'
import { exitOnStreamError } from '../lib/stream-errors.js'
import { wantsColor } from './color.js'
import { homeFolder, resolvePath, temporaryFolder } from './io.js'
import { toWriteError } from './write-all.js'

const TERMINAL = { stdin: true, stdout: true, stderr: true }

describe('prompts and redrawing', () => {
  test.each([
    [
      { stdin: true, stderr: true },
      { canPrompt: true, canRedraw: true, canDraw: true },
    ],
    [
      { stdin: true, stdout: true },
      { canPrompt: false, canRedraw: false, canDraw: false },
    ],
    [{ stderr: true }, { canPrompt: false, canRedraw: true, canDraw: true }],
    [{ stdout: true }, { canPrompt: false, canRedraw: false, canDraw: false }],
    [{}, { canPrompt: false, canRedraw: false, canDraw: false }],
  ])('with terminals %j are %j', (isTTY, expected) => {
    expect(testIo({ isTTY }).io).toMatchObject(expected)
  })

  test.each([
    [{ CI: '1' }, { canPrompt: false, canRedraw: true, canDraw: false }],
    [{ MAYFLY_NO_INPUT: '1' }, { canPrompt: false, canRedraw: true, canDraw: true }],
    [{ MAYFLY_ACCESSIBLE: '1' }, { canPrompt: true, canRedraw: false, canDraw: true }],
    [{ TERM: 'dumb' }, { canPrompt: true, canRedraw: false, canDraw: false }],
    [
      { CI: '', MAYFLY_NO_INPUT: '' },
      { canPrompt: true, canRedraw: true, canDraw: true },
    ],
  ])('on a terminal with %j are %j', (env, expected) => {
    expect(testIo({ env: env as Record<string, string>, isTTY: TERMINAL }).io).toMatchObject(expected)
  })

  test('--no-input turns off prompts, --quiet turns off redrawing', () => {
    const { io } = testIo({ isTTY: TERMINAL })
    expect(io.withFlags({ input: false })).toMatchObject({ canPrompt: false, canRedraw: true })
    expect(io.withFlags({ quiet: true })).toMatchObject({ canPrompt: true, canRedraw: false })
    expect(io.canPrompt).toBe(true)
  })

  test('promptHidden throws usage with the hint without a terminal', async () => {
    const { io } = testIo()
    expect(io.canPromptHidden()).toBe(false)
    const hint = 'use --password-file'
    await expect(io.promptHidden('password', hint)).rejects.toMatchObject({ outcome: 'usage', hint })
  })
})

describe('colors', () => {
  test.each([
    ['auto', true, {}, true],
    ['auto', false, {}, false],
    ['auto', true, { TERM: 'dumb' }, false],
    ['auto', true, { CI: '1' }, false],
    ['auto', true, { NO_COLOR: '1' }, false],
    ['auto', true, { NO_COLOR: '' }, true],
    ['auto', false, { FORCE_COLOR: '1' }, true],
    ['auto', true, { FORCE_COLOR: '0' }, false],
    ['auto', false, { CLICOLOR_FORCE: '1' }, true],
    ['auto', false, { CLICOLOR_FORCE: '1', FORCE_COLOR: '0' }, false],
    ['auto', false, { FORCE_COLOR: '1', TERM: 'dumb', CI: '1' }, true],
    ['auto', true, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
    ['always', false, { NO_COLOR: '1' }, true],
    ['never', true, { FORCE_COLOR: '1' }, false],
  ])('--color %s, terminal %j, %j: %j', (flag, isTty, env, expected) => {
    expect(wantsColor(flag, isTty, env)).toBe(expected)
  })

  test('errors and warnings are colored on stderr', () => {
    const { io, stderr } = testIo()
    const colored = io.withFlags({ color: 'always' })
    colored.error('no')
    colored.warn('careful')
    io.error('no')
    expect(`${stderr()}`).toBe(
      'mayfly: \x1b[31merror:\x1b[0m no\nmayfly: \x1b[33mwarning:\x1b[0m careful\nmayfly: error: no\n',
    )
  })
})

test('results are colored by the terminal of stdout, and never with NO_COLOR or --color never', () => {
  const painted = (isTTY: object, env = {}, color?: string) =>
    testIo({ isTTY, env }).io.withFlags({ color }).paintResult('red', 'fail')
  const red = '\x1b[31mfail\x1b[0m'
  expect(painted({ stdout: true })).toBe(red)
  expect(painted({ stdin: true, stderr: true })).toBe('fail')
  expect(painted({ stdout: true }, { NO_COLOR: '1' })).toBe('fail')
  expect(painted({ stdout: true }, {}, 'never')).toBe('fail')
  expect(painted({}, {}, 'always')).toBe(red)
})

describe('output', () => {
  test('--quiet hides notes and warnings, not errors, hints and writeErr', async () => {
    const { io, stdout, stderr } = testIo()
    const quiet = io.withFlags({ quiet: true })
    quiet.note('note')
    quiet.warn('warning')
    quiet.error('error')
    quiet.hint('hint')
    quiet.writeErr('told\n')
    await quiet.write('result')
    expect(`${stderr()}`).toBe('mayfly: error: error\nmayfly: hint: hint\ntold\n')
    expect(`${stdout()}`).toBe('result')
  })

  test('a message is one line without control characters', () => {
    const { io, stderr } = testIo()
    io.note('one\n  two\x1b[2J')
    expect(`${stderr()}`).toBe('mayfly: one two[2J\n')
  })

  test('the next message replaces the status line, also with other flags', () => {
    const { io, stderr } = testIo({ isTTY: TERMINAL })
    io.redraw('50 %')
    io.withFlags({ color: 'never' }).note('done')
    io.redraw('')
    expect(`${stderr()}`).toBe('\r\x1b[K50 %\r\x1b[Kmayfly: done\n')
  })
})

describe('stdin', () => {
  test('readStdin returns all of stdin, or null when it is too long', async () => {
    expect(await testIo({ stdin: 'täxt' }).io.readStdin('the text', 5)).toEqual(Buffer.from('täxt'))
    expect(await testIo({ stdin: 'täxt' }).io.readStdin('the text', 4)).toBeNull()
  })

  test('stdin cannot be read twice, also with other flags', async () => {
    const { io } = testIo({ stdin: 'x' })
    await io.readStdin('the password', 10)
    const message = 'stdin cannot be both the password and the text'
    await expect(io.withFlags({}).readStdin('the text', 10)).rejects.toMatchObject({ outcome: 'usage', message })
  })

  test('readStdin prompts on a terminal and throws when prompts are off', async () => {
    const { io, stderr } = testIo({ stdin: 'typed', isTTY: TERMINAL })
    expect(`${await io.readStdin('the text', 10)}`).toBe('typed')
    expect(`${stderr()}`).toBe('Type or paste the text, end with Ctrl-D:\n')
    const { io: mute } = testIo({ isTTY: TERMINAL, env: { CI: '1' } })
    await expect(mute.readStdin('the text', 10)).rejects.toMatchObject({ outcome: 'usage' })
  })
})

test('paths are resolved from cwd, and folders come from the environment', () => {
  const { io } = testIo({ cwd: '/srv', env: { HOME: '/home/anna', TMPDIR: '/scratch' } })
  expect(resolvePath(io, 'a/b')).toBe('/srv/a/b')
  expect(resolvePath(io, '/a')).toBe('/a')
  expect(homeFolder(io)).toBe('/home/anna')
  expect(temporaryFolder(io)).toBe('/scratch')
})

describe('an error of an output stream', () => {
  test('exits with 1 on EPIPE, with 10 and a message on a full disk, and rethrows others', () => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()]
    const exit = vi.fn()
    exitOnStreamError({ stdout, stderr }, (error) => toWriteError(error, 'to stdout'), exit)
    stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    expect(exit).toHaveBeenCalledExactlyOnceWith(1)
    expect(stderr.read()).toBeNull()
    stdout.emit('error', Object.assign(new Error('no space'), { code: 'ENOSPC' }))
    expect(exit).toHaveBeenLastCalledWith(10)
    expect(`${stderr.read()}`).toBe('mayfly: error: cannot write to stdout: the disk is full (ENOSPC)\n')
    const bug = new Error('bug')
    expect(() => stdout.emit('error', bug)).toThrow(bug)
  })

  test('write rejects on a broken pipe', async () => {
    const { io } = testIo()
    io.stdout.on('error', () => {}).destroy(new Error('gone'))
    await expect(io.write('x')).rejects.toThrow()
  })
})
