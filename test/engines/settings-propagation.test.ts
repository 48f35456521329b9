/** A setting changed in one process applies in every other process within two seconds. */

import { setTimeout } from 'node:timers/promises'
import { afterAll, describe, expect } from 'vitest'
import { acquireDatabase, type EngineName, type TestDatabase } from '#test/databases'
import { testEachEngine } from '#test/for-each-engine'
import { type RunningServer, startServer } from '#test/start-server'

/** How long a process may work with older settings. */
const MAX_AGE_MS = 2000

const databases: TestDatabase[] = []
const servers: RunningServer[] = []
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  await Promise.all(databases.map((database) => database.drop()))
})

async function twoProcesses(engine: EngineName): Promise<[RunningServer, RunningServer]> {
  const database = await acquireDatabase(engine)
  databases.push(database)
  // One after the other, because only the setup code of the last one is valid.
  const one = await startServer({ env: database.env })
  servers.push(one)
  const other = await startServer({ env: database.env })
  servers.push(other)
  return [one, other]
}

/** Sends a request as a page of the instance does. Returns the code of the error, or the status, and the cookies. */
async function ask({ url }: RunningServer, method: string, path: string, body: object, cookie = '') {
  const headers = { 'content-type': 'application/json', origin: url, cookie }
  const response = await fetch(`${url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) })
  const { code = response.status } = (await response.json()) as { code?: string }
  return { said: code, cookies: response.headers.getSetCookie().map((each) => each.split(';')[0]) }
}

async function administrator(server: RunningServer): Promise<string> {
  const [, code] = await server.printed(/"setupCode":"([\w-]+)"/)
  const account = { username: 'boss', email: 'boss@example.org', password: 'amber-river-94', code }
  const { said, cookies } = await ask(server, 'POST', '/authentication/setup', account)
  expect(said).toBe(200)
  return cookies.join('; ')
}

let names = 0
/** Status codes of a visitor for the routes that the five settings affect. */
async function probe(server: RunningServer): Promise<unknown[]> {
  const username = `somebody-${++names}`
  const account = { username, email: `${username}@example.org`, password: 'amber-river-94' }
  const calls: [path: string, body: object][] = [
    ['/secret', { text: '☃', ttl: 60 }],
    ['/files', { size: 9, parts: 1 }],
    ['/authentication/signup', account],
  ]
  const responses: unknown[] = []
  for (const [path, body] of calls) responses.push((await ask(server, 'POST', path, body)).said)
  return responses
}

// At once, because they mostly wait.
describe.concurrent('two processes on one database', () => {
  testEachEngine(
    'SEC-11, REL-18: a setting changed in one process applies in the other within 2 s',
    async (engine) => {
      const [one, other] = await twoProcesses(engine)
      const boss = await administrator(other)
      const steps: [change: object, expected: unknown[]][] = [
        [
          { read_only: true, restrict_organization_email: 'good.com' },
          ['settings.read_only', 'settings.read_only', 'auth.email_domain'],
        ],
        [
          { read_only: false, disable_file_upload: true, disable_user_account_creation: true },
          [201, 'settings.uploads_disabled', 'auth.sign_up_disabled'],
        ],
        [{ disable_file_upload: false, disable_users: true }, [201, 201, 'auth.users_disabled']],
      ]
      let before: unknown[] = [201, 201, 200]
      for (const [change, after] of steps) {
        // The process reads the settings here and caches them.
        expect(await probe(other)).toEqual(before)
        expect((await ask(one, 'PUT', '/admin/settings', change, boss)).said).toBe(200)
        await setTimeout(MAX_AGE_MS)
        expect(await probe(other)).toEqual(after)
        before = after
      }
    },
    300_000,
  )
})
