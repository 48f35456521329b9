/** The product over HTTP on each storage of the tier, a new instance for each test. */
import { Agent, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename } from 'node:path'
import request, { type Test } from 'supertest'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject } from 'vitest'
import { listen } from '#core/http/server'
import { makeStorage, type StorageName, type TestStorage } from './databases.js'
import { needsOf } from './for-each-engine.js'
import { memoryFiles } from './memory-plugin.js'
import { assertMatchesSchema } from './response-schemas.js'
import { type TestApp, testApp } from './test-app.js'

/** Headers that browsers send with a request of a page of the instance. */
export const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors' }

export interface Site {
  readonly app: TestApp
  /** Where it listens on the loopback, for what `call` cannot say. */
  readonly port: number
  /** A new instance on the same storage, with other settings. */
  restart(settings: Parameters<typeof testApp>[1]): Promise<void>
  /** Defines tests on one storage of the tier, for what `onOneStorage` is for. */
  once(define: () => void): void
  /** A request under /api/v1; `path` may hold a prefix of its own when it begins with /api. */
  call(method: string, path: string, headers?: Record<string, string>, body?: unknown): Test
}

interface Options {
  /** True: one instance for all tests of the suite. */
  shared?: boolean
  app?: Parameters<typeof testApp>[1]
}

/** Defines the suite for each storage of the tier. Files are in memory. */
export function forEachStorage(suite: (site: Site) => void, options: Options = {}): void {
  for (const name of inject('storages')) onStorage(name, suite, options)
}

/**
 * The same on one storage of the tier; test files take turns. For requests that do not compete with each other, and
 * whose statements the contract suite of storages proves on every engine.
 */
export function onOneStorage(suite: (site: Site) => void, options: Options = {}): void {
  onStorage(chooseStorage(), suite, options)
}

function chooseStorage(): StorageName {
  const storages = inject('storages')
  const name = Buffer.from(basename(expect.getState().testPath ?? ''))
  const turn = name.reduce((sum, byte) => sum + byte) % storages.length
  return storages[turn] as StorageName
}

/** The same on memory alone, in every tier: for what no storage can change. */
export function onMemory(suite: (site: Site) => void, options: Options = {}): void {
  onStorage('memory', suite, options)
}

function onStorage(name: StorageName, suite: (site: Site) => void, { shared = false, app: options = {} }: Options) {
  describe(`on ${name}`, needsOf(name), () => {
    let made: TestStorage
    let app: TestApp
    let server: Server
    // A new connection takes as long as most requests.
    const agent = new Agent({ keepAlive: true })
    afterAll(() => agent.destroy())
    const start = async (more: Parameters<typeof testApp>[1] = {}) => {
      app = await testApp(made.storage, { files: memoryFiles, ...options, ...more })
      server = await listen(app.handler, '127.0.0.1', 0)
    }
    const stop = async () => {
      server.closeAllConnections()
      server.close()
      await app.close()
    }
    beforeAll(async () => {
      made = await makeStorage(name)
      if (shared) await start()
    })
    afterAll(async () => {
      if (shared) await stop()
      await made.drop()
    })
    if (!shared) {
      beforeEach(async () => {
        await made.empty()
        await start()
      })
      afterEach(stop)
    }
    suite({
      get app() {
        return app
      },
      get port() {
        return (server.address() as AddressInfo).port
      },
      async restart(more) {
        await stop()
        await start(more)
      },
      once(define) {
        if (name === chooseStorage()) define()
      },
      call(method, path, headers = {}, body) {
        const address = path.startsWith('/api') ? path : `/api/v1${path}`
        const made = request(server)
          [method.toLowerCase() as 'get'](address)
          .agent(agent)
          .set(headers)
          .expect((response) => assertMatchesSchema(method, address, response))
        return body === undefined ? made : made.send(body as object)
      },
    })
  })
}
