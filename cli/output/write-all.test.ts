/** Short writes and errors of the system, which real files produce only on full disks. */
import { expect, test } from 'vitest'
import { CliError } from '../lib/cli-error.js'
import { isBrokenPipe, toWriteError, writeAll } from './write-all.js'

const failure = (code: string) => Object.assign(new Error(code), { code })

/** Each step is a number of bytes that the system takes, or the code of an error. */
function systemOf(steps: (number | string)[]) {
  const written: Buffer[] = []
  const write = async (_: number, bytes: Uint8Array, offset: number, length: number) => {
    const step = steps.shift() ?? length
    if (typeof step === 'string') throw failure(step)
    const bytesWritten = Math.min(step, length)
    written.push(Buffer.from(bytes.subarray(offset, offset + bytesWritten)))
    return { bytesWritten }
  }
  return { calls: { write }, written: () => Buffer.concat(written).toString() }
}

test('writeAll goes on after short writes, a full pipe and an interrupted call', async () => {
  const { calls, written } = systemOf([3, 'EAGAIN', 1, 'EINTR', 'EAGAIN', 2])
  await writeAll(1, 'pässwörd ☃', calls)
  expect(written()).toBe('pässwörd ☃')
})

test.each([['ENOSPC'], ['EDQUOT'], ['EFBIG'], ['EPIPE'], ['EIO']])(
  'writeAll throws %s after a short write',
  async (code) => {
    await expect(writeAll(1, 'pässwörd', systemOf([3, code]).calls)).rejects.toMatchObject({ code })
    const error = toWriteError(failure(code), 'to stdout')
    expect(error).toMatchObject({
      outcome: 'not_written',
      message: expect.stringMatching(`^cannot write to stdout: .* \\(${code}\\)$`),
    })
    expect(isBrokenPipe(error)).toBe(code === 'EPIPE')
  },
)

test('writeAll throws EIO when the system takes nothing', async () => {
  await expect(writeAll(1, 'x', systemOf([0]).calls)).rejects.toMatchObject({ code: 'EIO' })
})

test('toWriteError returns other errors unchanged', () => {
  const bug = new TypeError('bug')
  expect(toWriteError(bug, 'x')).toBe(bug)
  const known = new CliError('usage', 'x')
  expect(toWriteError(known, 'x')).toBe(known)
})
