import { mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AuditEntry, AuditSink, Hooks } from '#core'
import { openPlugin } from '#core/testing'
import auditFile from './index.js'
import { createRotatingFile } from './rotating-file.js'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'mayfly-audit-'))
})
afterEach(() => rm(dataDir, { recursive: true }))

const entry = (number: number): AuditEntry => ({
  id: `id-${number}`,
  at: number,
  action: 'user.created',
  actor: 'jörg',
  subject: '☃\n',
  address: null,
  detail: {},
})
const open = async (options: object = {}) => {
  const hooks: Partial<Hooks> = await openPlugin(auditFile as never, { options: { ...options }, dataDir })
  return hooks.auditSink as Required<AuditSink>
}
const folder = () => join(dataDir, 'audit')
const linesOf = async (name: string) => (await readFile(join(folder(), name), 'utf8')).split('\n').slice(0, -1)
const numbersIn = async (name: string) => (await linesOf(name)).map((line) => (JSON.parse(line) as AuditEntry).at)
const rotated = async () => (await readdir(folder())).filter((name) => name !== 'audit.ndjson').sort()

test('each entry is one line of JSON in a file that only the owner can read', async () => {
  const sink = await open()
  await sink.write([entry(1), entry(2)])
  expect((await linesOf('audit.ndjson')).map((line) => JSON.parse(line))).toEqual([entry(1), entry(2)])
  expect((await stat(join(folder(), 'audit.ndjson'))).mode & 0o777).toBe(0o600)
  expect((await stat(folder())).mode & 0o777).toBe(0o700)
})

test('a full file is renamed, and only the newest older files stay', async () => {
  const sink = await open({ maxBytes: '1KiB', keepFiles: 2 })
  for (let number = 0; number < 60; number++) await sink.write([entry(number)])
  const names = await rotated()
  expect(names).toHaveLength(2)
  const numbers = (await Promise.all([...names, 'audit.ndjson'].map(numbersIn))).flat()
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => 60 - numbers.length + index))
  for (const name of names) {
    expect(name).toMatch(/^audit\.\d{8}T\d{9}Z-[0-9a-f]{6}\.ndjson$/)
    expect((await stat(join(folder(), name))).size).toBeLessThanOrEqual(1024)
  }
})

test('files that are full within the same millisecond keep their order', async () => {
  const sink = await open({ maxBytes: 1024, keepFiles: 3 })
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    for (let number = 0; number < 90; number++) await sink.write([entry(number)])
  } finally {
    vi.useRealTimers()
  }
  const numbers = (await Promise.all([...(await rotated()), 'audit.ndjson'].map(numbersIn))).flat()
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => 90 - numbers.length + index))
})

test('rotation does not delete other files of the folder', async () => {
  const sink = await open({ maxBytes: 1024, keepFiles: 0 })
  const others = ['audit.old.ndjson', 'audit.20260101T000000000Z-1a2b3c.ndjson.gz', 'notes.txt']
  for (const name of others) await writeFile(join(folder(), name), '☃')
  for (let number = 0; number < 30; number++) await sink.write([entry(number)])
  expect(await rotated()).toEqual([...others].sort())
})

test('two processes that write to one file do not lose lines when it is rotated', async () => {
  const sinks = [await open({ maxBytes: 1024, keepFiles: 1000 }), await open({ maxBytes: 1024, keepFiles: 1000 })]
  await Promise.all(
    sinks.map(async (sink, index) => {
      for (let number = 0; number < 50; number++) await sink.write([entry(number * 2 + index)])
    }),
  )
  const numbers = (await Promise.all((await readdir(folder())).map(numbersIn))).flat()
  expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, index) => index))
})

test('a folder that was moved away is created again', async () => {
  const sink = await open()
  await sink.write([entry(1)])
  await rename(folder(), join(dataDir, 'moved'))
  await sink.write([entry(2)])
  expect(await numbersIn('audit.ndjson')).toEqual([2])
})

test('after a failed write, the next entry starts on a new line', async () => {
  const path = join(dataDir, 'torn.ndjson')
  // A write to /dev/full fails with ENOSPC.
  await symlink('/dev/full', path)
  const { append } = createRotatingFile({ path, maxBytes: 10_000, keepFiles: 1 })
  await expect(append('{"a":1}\n')).rejects.toMatchObject({ code: 'ENOSPC' })
  await rm(path)
  await writeFile(path, '{"a"')
  await append('{"a":1}\n')
  expect(await readFile(path, 'utf8')).toBe('{"a"\n{"a":1}\n')
  await append('{"b":2}\n')
  expect(await readFile(path, 'utf8')).toBe('{"a"\n{"a":1}\n{"b":2}\n')
})

test('a path that is not writable stops the start with its reason', async () => {
  await writeFile(join(dataDir, 'a-file'), '')
  await expect(open({ file: 'a-file/audit.ndjson' })).rejects.toThrow(/ENOTDIR/)
})
