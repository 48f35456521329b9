import { expect, test } from 'vitest'
import type { FileStore } from '../contracts/file-store.js'
import type { Storage } from '../contracts/storage.js'
import { createHealth } from './health.js'

const up = { ping: async () => {} }
const down = { ping: () => Promise.reject(new Error('ECONNREFUSED')) }
const health = (storage: object, files: object | null, now = () => 0) =>
  createHealth({ storage: storage as Storage, files: files as FileStore | null, now })

test.each([
  [up, up, undefined],
  [up, null, undefined],
  [down, up, { code: 'storage.unavailable', message: 'Not responding: storage.' }],
  [up, down, { code: 'file.unavailable', message: 'Not responding: files.' }],
  [down, down, { code: 'storage.unavailable', message: 'Not responding: storage, files.' }],
])('REL-20: check names the components that do not respond', async (storage, files, failure) => {
  const asked = health(storage, files)
  if (failure) await expect(asked.ready()).rejects.toMatchObject(failure)
  else await asked.ready()
  expect((await asked.parts()).map(({ isUp }) => isUp)).toEqual(
    [storage, ...(files ? [files] : [])].map((part) => part === up),
  )
})

test('many probes together ask each component once per second, also while it is down', async () => {
  let pings = 0
  let isUp = true
  let now = 1_000
  const counted = { ping: async () => void pings++ }
  const storage = { ping: () => (isUp ? up : down).ping() }
  const asked = health(storage, counted, () => now)
  await Promise.all(Array.from({ length: 50 }, () => asked.ready()))
  isUp = false
  now += 999
  await asked.ready()
  expect(pings).toBe(1)
  now += 1
  await expect(asked.ready()).rejects.toMatchObject({ code: 'storage.unavailable' })
  isUp = true
  await expect(asked.ready()).rejects.toMatchObject({ code: 'storage.unavailable' })
  expect(pings).toBe(2)
  now += 1_000
  await asked.ready()
})

test('a draining process is not ready, and its components stay up', async () => {
  const draining = health(up, up)
  draining.startDraining()
  await expect(draining.ready()).rejects.toMatchObject({ code: 'server.busy' })
  expect((await draining.parts()).every(({ isUp }) => isUp)).toBe(true)
})
