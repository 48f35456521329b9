import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resolveInstanceBytes } from './instance-bytes.js'

const GiB = 2 ** 30

test('SEC-37: auto is half of the disk of the files, at most 10 GiB', async () => {
  const { blocks, bsize } = await statfs(tmpdir())
  const expected = Math.min(10 * GiB, Math.floor((blocks * bsize) / 2))
  for (const folder of [tmpdir(), join(tmpdir(), 'not there ☃', 'files')])
    expect(await resolveInstanceBytes('auto', folder)).toBe(expected)
})

test('auto is 10 GiB when the files are not on a disk of this machine or its size is unknown', async () => {
  for (const folder of [null, '/proc']) expect(await resolveInstanceBytes('auto', folder)).toBe(10 * GiB)
})

test.each([null, 0, 5000])('%s stays as it is', async (setting) => {
  expect(await resolveInstanceBytes(setting, tmpdir())).toBe(setting)
})
