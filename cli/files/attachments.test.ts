/** Files that change while they are sent: no part of them counts as sent. */
import { appendFile, mkdtemp, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '#shared/client/client'
import { type LocalServer, startLocalServer } from '#test/local-server'
import type { Io } from '../output/io.js'
import { openOutgoingFiles } from './attachments.js'

const SIZE = 300_000
const LATER = new Date(Date.UTC(2040, 0, 1))

let server: LocalServer
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-outgoing-'))
  server = await startLocalServer()
})
afterAll(async () => {
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

test.each([
  ['stays as it is', async () => {}, null],
  ['grows', (path: string) => appendFile(path, 'x'), { outcome: 'conflict' }],
  ['becomes shorter', (path: string) => truncate(path, SIZE / 2), { outcome: 'conflict' }],
  ['is written over', (path: string) => utimes(path, LATER, LATER), { outcome: 'conflict' }],
])('a file that %s', async (name, change, failure) => {
  const path = join(folder, `${name} ☃`)
  await writeFile(path, Buffer.alloc(SIZE, 'ä'))
  const client = createClient({
    server: server.url,
    async fetch(input, init) {
      if (init?.method === 'PUT') await change(path)
      return fetch(input, init)
    },
  })
  const [file] = await openOutgoingFiles({ file: [path] }, 2 * SIZE, {} as Io)
  const sending = file?.send(client, { delaysMs: [1] })
  if (failure) await expect(sending).rejects.toMatchObject(failure)
  else await expect(sending).resolves.toMatchObject({ size: SIZE })
  const deleted = server.log().match(/"method":"DELETE","route":"\/api\/v1\/files\/:id","status":204/g) ?? []
  expect(deleted.length > 0).toBe(failure !== null)
  await file?.close()
})

test('a file that has content although its size is 0 is read, and an empty one stays empty', async () => {
  const empty = join(folder, 'leer ☃')
  await writeFile(empty, '')
  const [version, nothing] = await openOutgoingFiles({ file: ['/proc/version', empty] }, SIZE, {} as Io)
  expect(version?.size).toBe((await readFile('/proc/version')).length)
  expect(nothing?.size).toBe(0)
})

test('a small file that grows while it is read is sent as it was read', async () => {
  const path = join(folder, 'klein ☃')
  await writeFile(path, 'ä')
  const [file] = await openOutgoingFiles({ file: [path] }, SIZE, {} as Io)
  await appendFile(path, 'more')
  const sent = await file?.send(createClient({ server: server.url }), {})
  expect(sent?.size).toBe(Buffer.byteLength('ä'))
})
