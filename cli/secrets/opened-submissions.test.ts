/** Files with the tags of opened submissions. */
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { testIo } from '#test/run-cli'
import { rememberSubmission } from './opened-submissions.js'

const FIRST = {
  server: 'https://secrets.example.org/mäyfly',
  requestId: 'request'.repeat(3),
  endsAt: Date.now() + 60_000,
  id: 'submission'.repeat(2),
  tag: 'tag'.repeat(14),
}

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'mayfly-submissions-'))
  return () => rm(home, { recursive: true, force: true })
})
const folder = () => join(home, '.local/state/mayfly/submissions')
const remember = (change: Partial<typeof FIRST> = {}) =>
  rememberSubmission({ ...FIRST, ...change }, testIo({ env: { HOME: home } }).io)

test('the same tag under another id is a repetition, the same id and other requests are not', async () => {
  expect(await remember()).toBe(false)
  expect(await remember()).toBe(false)
  expect(await remember({ id: 'another' })).toBe(true)
  expect(await remember({ id: 'another', tag: 'another' })).toBe(false)
  expect(await remember({ id: 'another', requestId: 'another' })).toBe(false)
  expect(await remember({ id: 'another', server: 'https://example.net' })).toBe(false)
})

test('the file is private and contains the id of neither request nor submission', async () => {
  await remember()
  const [name = ''] = await readdir(folder())
  expect((await stat(join(folder(), name))).mode & 0o777).toBe(0o600)
  expect((await stat(folder())).mode & 0o777).toBe(0o700)
  expect(name + (await readFile(join(folder(), name), 'utf8'))).not.toMatch(/request|submission|example/)
})

test('files of ended requests are removed', async () => {
  await remember({ endsAt: Date.now() - 1 })
  expect(await readdir(folder())).toHaveLength(1)
  await remember({ requestId: 'another' })
  expect(await readdir(folder())).toHaveLength(1)
  expect(await remember({ id: 'another' })).toBe(false)
})

test('nothing is stored for a user without a home folder', async () => {
  const { io } = testIo({ env: { HOME: '/nonexistent' } })
  expect(await rememberSubmission(FIRST, io)).toBe(false)
  expect(await rememberSubmission({ ...FIRST, id: 'another' }, io)).toBe(false)
})
