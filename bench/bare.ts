/** What the machine can do without us: an HTTP server that only moves bytes, and a database that only inserts. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sqlite3 from 'sqlite3'

/** Reads the body and answers as many bytes as the path says. Resolves with its address. */
export async function bareHttp(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const length = Number(request.url?.slice(1))
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': length })
      response.end('x'.repeat(length))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export interface InsertJob {
  /** Of the text in each row. */
  bytes: number
  inserts: number
  rounds: number
}

/** Rows per second of each round: one after the other, each in a transaction of its own that waits for the disk. */
export async function bareSqlite({ bytes, inserts, rounds }: InsertJob): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-bench-'))
  const db = new sqlite3.Database(join(folder, 'bare.db'))
  const settings = 'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;'
  await settled((done) => db.exec(`${settings} CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT)`, done))
  const text = 'x'.repeat(bytes)
  const rates: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    for (let row = 0; row < inserts; row++) {
      await settled((done) => db.run('INSERT INTO rows (text) VALUES (?)', text, done))
    }
    rates.push((inserts / (performance.now() - started)) * 1000)
  }
  await settled((done) => db.close(done))
  await rm(folder, { recursive: true })
  return rates
}

function settled(call: (done: (error: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => call((error) => (error ? reject(error) : resolve())))
}
