/** Files with the claims of unfinished reads. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { testIo } from '#test/run-cli'
import { endRun } from '../lib/signals.js'
import { createReadClaim, takeUnfinishedRead } from './read-claims.js'

const SERVER = 'https://secrets.example.org/mäyfly'
const RAW_ID = `${'a'.repeat(22)}~${'geheim'.repeat(7)}x`
const FOUND = {
  id: RAW_ID,
  kind: 'raw' as const,
  maxViews: 1,
  passwordRequired: true,
  codeRequired: false,
  expiresAt: 7,
  files: 2,
}
const GRACE_S = 600

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'mayfly-claims-'))
  return () => rm(home, { recursive: true, force: true })
})
const folder = () => join(home, '.local/state/mayfly/claims')
const newIo = () => testIo({ env: { HOME: home } }).io

/** An attempt that ends without an acknowledgement. */
async function leaveClaim(): Promise<string> {
  const io = newIo()
  const claim = createReadClaim(SERVER, FOUND, null, io)
  await claim.keep(GRACE_S)
  endRun(io.cleanup)
  return claim.value
}

test('the next run continues with the claim and the result of the peek, until the claim is released', async () => {
  const value = await leaveClaim()
  const io = newIo()
  const unfinished = await takeUnfinishedRead(SERVER, RAW_ID, io)
  expect(unfinished).toMatchObject({ claim: value, facts: { kind: 'raw', files: 2, passwordRequired: true } })
  const claim = createReadClaim(SERVER, FOUND, unfinished, io)
  await claim.keep(GRACE_S)
  expect(claim).toMatchObject({ value, isRepeated: true })
  await claim.release()
  endRun(io.cleanup)
  expect(await readdir(folder())).toEqual([])
  expect(await takeUnfinishedRead(SERVER, RAW_ID, newIo())).toBeNull()
})

test('REL-26: the file is private and contains neither id nor key', async () => {
  await leaveClaim()
  const [name = ''] = await readdir(folder())
  expect((await stat(join(folder(), name))).mode & 0o777).toBe(0o600)
  expect((await stat(folder())).mode & 0o777).toBe(0o700)
  expect(name + (await readFile(join(folder(), name), 'utf8'))).not.toMatch(/aaaa|geheim|example/)
})

test('a claim that a running process uses is left alone, and one of an ended process is taken by one run only', async () => {
  const io = newIo()
  await createReadClaim(SERVER, FOUND, null, io).keep(GRACE_S)
  expect(await takeUnfinishedRead(SERVER, RAW_ID, newIo())).toBeNull()
  endRun(io.cleanup)
  const taken = await Promise.all([1, 2, 3].map(() => takeUnfinishedRead(SERVER, RAW_ID, newIo())))
  expect(taken.filter((each) => each !== null)).toHaveLength(1)
})

test('a claim belongs to one server and one secret', async () => {
  await leaveClaim()
  expect(await takeUnfinishedRead('https://other.example.org', RAW_ID, newIo())).toBeNull()
  expect(await takeUnfinishedRead(SERVER, 'b'.repeat(22), newIo())).toBeNull()
})

test('expired and damaged files of any secret are removed', async () => {
  await leaveClaim()
  const [name = ''] = await readdir(folder())
  const stored = JSON.parse(await readFile(join(folder(), name), 'utf8'))
  await writeFile(join(folder(), name), JSON.stringify({ ...stored, endsAt: Date.now() - 1 }))
  await writeFile(join(folder(), 'damaged.json'), '{')
  expect(await takeUnfinishedRead(SERVER, 'c'.repeat(22), newIo())).toBeNull()
  expect(await readdir(folder())).toEqual([])
})

test('nothing is stored without a grace period or without a home folder, and the hint says so', async () => {
  const strict = createReadClaim(SERVER, FOUND, null, newIo())
  await strict.keep(0)
  expect(strict.hint()).toMatch(/repeats no views/)
  const homeless = createReadClaim(SERVER, FOUND, null, testIo({ env: { HOME: join(home, 'missing') } }).io)
  await homeless.keep(GRACE_S)
  expect(homeless.hint()).toMatch(/not writable/)
  expect(await readdir(home)).toEqual([])
})
