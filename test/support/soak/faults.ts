/** Faults that the server has to survive while it serves others. */
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestDatabase } from '#test/databases'

export interface Target {
  url: string
  pid: number
  database: TestDatabase
}

export interface Fault {
  name: string
  run(target: Target): Promise<void>
}

const STOPPED_MS = 5_000
const LOCKED_MS = 3_000
const CONNECTIONS = 300

export const FAULTS: Fault[] = [
  {
    name: 'the process is stopped for 5 s',
    async run({ pid }) {
      process.kill(pid, 'SIGSTOP')
      await sleep(STOPPED_MS)
      process.kill(pid, 'SIGCONT')
    },
  },
  {
    name: 'another process locks the secrets for 3 s',
    async run({ database }) {
      const lock = await database.db.transaction()
      await lock('secrets').update({ views: lock.ref('views') })
      await sleep(LOCKED_MS)
      await lock.rollback()
    },
  },
  {
    name: '300 connections send incomplete requests and disappear',
    run: ({ url }) => abandon(url, CONNECTIONS, 'GET / HTTP/1.1\r\nHost: '),
  },
  {
    name: '300 uploads and requests are cut off',
    run: ({ url }) => abandon(url, CONNECTIONS, cutRequest()),
  },
  {
    name: '3,000 invalid requests',
    async run({ url }) {
      for (let n = 0; n < 30; n++) await Promise.all(Array.from({ length: 100 }, () => sendInvalid(url)))
    },
  },
]

/** Opens connections, sends the beginning of a request on each, and destroys them a second later. */
async function abandon(url: string, count: number, text: string): Promise<void> {
  const { hostname, port } = new URL(url)
  const sockets: Socket[] = Array.from({ length: count }, () => connect(Number(port), hostname).on('error', () => {}))
  for (const socket of sockets) socket.write(text)
  await sleep(1_000)
  for (const socket of sockets) socket.destroy()
}

const cutRequest = () =>
  'POST /api/v1/secret HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"text":"'

/** Sends a body that no route accepts, under a path that no route has. */
async function sendInvalid(url: string): Promise<void> {
  const path = randomBytes(9).toString('base64url')
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${path}` }
  const options = { method: 'POST', headers, body: `{"${path}":` }
  await fetch(`${url}/api/v1/secret/${path}`, options).then(
    (response) => response.arrayBuffer(),
    () => {},
  )
}
