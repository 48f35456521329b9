/** An instance whose disk is full, over HTTP: secrets with files are read, downloaded, burned and deleted. */
import { randomBytes } from 'node:crypto'
import { statfsSync } from 'node:fs'
import { appendFile, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { listen } from '#core/http/server'
import type { Plugin } from '#core/plugins/plugin'
import localFiles from '#plugins/local-files/index'
import sqlite from '#plugins/sqlite/index'
import { fileCalls } from '#test/file-calls'
import { needs } from '#test/needs'
import { mountSmallDisk, type SmallDisk } from '#test/small-disk'
import { type TestApp, testApp } from '#test/test-app'

const DISK = 32 * 2 ** 20
const SIZE = 200_000
/** Plugins as in an instance whose disk has no reserve for files. */
const files: Plugin = {
  ...localFiles,
  options: z.object({}),
  setup: (_, host) => localFiles.setup(localFiles.options.parse({ minFreeBytes: 0 }), host),
}

describe('an instance on a full disk', needs('mount'), () => {
  let disk: SmallDisk
  let app: TestApp
  let server: Server
  beforeEach(async () => {
    disk = mountSmallDisk(DISK)
    app = await testApp(sqlite as unknown as Plugin, { files, dataDir: disk.folder, settings: { limits: '' } })
    server = await listen(app.handler, '127.0.0.1', 0)
  })
  afterEach(async () => {
    server.closeAllConnections()
    server.close()
    await app.close()
    disk.unmount()
  })

  const filler = () => join(disk.folder, 'filler')
  /** Leaves no block free. */
  async function fillDisk(): Promise<void> {
    for (const size of [2 ** 20, 4096]) {
      for (;;) {
        const failed = await appendFile(filler(), Buffer.alloc(size)).catch(() => true)
        if (failed) break
      }
    }
    expect(statfsSync(disk.folder).bavail).toBe(0)
  }

  test('SEC-37: secrets are read, downloaded, burned and deleted, and created again once there is room', async () => {
    const port = () => (server.address() as AddressInfo).port
    const site = {
      app,
      port: port(),
      restart: () => expect.fail('not used'),
      once: () => expect.fail('not used'),
      call: () => expect.fail('not used'),
    }
    const { call, begin, upload, share, view, download, blobs } = fileCalls(site)
    const owner = await app.as(await app.signUp())
    const content = randomBytes(SIZE)
    const [read, burned] = [await share([await upload(content)]), await share([await upload(randomBytes(SIZE))])]
    const own = await share([await upload(randomBytes(SIZE))], {}, owner)
    const open = await begin(SIZE)
    // Waiting writes would use up the reserve of the database later, and the next scrub shortens its log.
    await app.audit.flush()
    await app.background.stats.flush()
    await app.storage.scrub()
    await fillDisk()

    const put = await call('PUT', `/files/${open.id}/0`, { token: open.token, rawBytes: randomBytes(SIZE) })
    expect(put.json).toMatchObject({ statusCode: 507 })
    const viewed = await view(read.id, read.access)
    expect(viewed.status).toBe(200)
    expect((await download(viewed.json.files[0].key, read.id, 0)).bytes.equals(content)).toBe(true)
    expect((await call('GET', '/secret?skip=0&take=10', { headers: owner })).json).toHaveLength(1)
    expect((await call('POST', `/secret/${burned.id}/burn`, { body: { access: burned.access } })).status).toBe(200)
    expect((await call('POST', `/secret/${own.id}/burn`, { body: {}, headers: owner })).status).toBe(200)
    expect((await call('DELETE', `/files/${open.id}`, { token: open.token })).status).toBe(204)
    app.clock.now += 60 * 60_000
    await app.background.cleanup.run()
    expect(await blobs()).toEqual([])
    await rm(filler())
    const created = await call('POST', '/secret', { body: { text: '\u2603', ttl: 60, isPublic: true } })
    expect(created.status).toBe(201)
  })
})
