/**
 * Three servers on a PostgreSQL primary with a synchronous standby, behind an address that moves to the standby when
 * the primary is lost: all of them work again, no stored secret is lost, and none is opened twice.
 */
import { afterEach, expect, test, vi } from 'vitest'
import { connectAsAdmin } from '#test/connect-database'
import { startDatabaseServer, startPostgresStandby } from '#test/database-server'
import { makeDatabase } from '#test/databases'
import { startForwarder } from '#test/forwarder'
import { needs } from '#test/needs'
import { startServer } from '#test/start-server'
import { startViewLoad } from '#test/view-load'

const SERVERS = 3
const LANES = 6
/** Secrets before and after the failover. */
const LOADED = 20
const RECOVERY = { timeout: 20_000, interval: 100 }

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

test('REL-07: three processes work after the promotion of a synchronous standby, and no secret is opened twice', {
  ...needs('postgresServer'),
  timeout: 90_000,
}, async () => {
  const primary = await startDatabaseServer('postgres')
  closing.push(primary.end)
  const standby = await startPostgresStandby(primary)
  closing.push(standby.end)
  const made = await makeDatabase('postgres', primary.url)
  closing.push(() => made.db.destroy())
  await made.db.raw('alter system set synchronous_standby_names = standby')
  await made.db.raw('select pg_reload_conf()')
  const isSynchronous = async () => (await made.db('pg_stat_replication').first('sync_state'))?.sync_state === 'sync'
  await vi.waitFor(async () => expect(await isSynchronous()).toBe(true), RECOVERY)

  const address = await startForwarder(portOf(primary.url))
  closing.push(address.close)
  const url = Object.assign(new URL(made.options.url as string), { hostname: '127.0.0.1', port: String(address.port) })
  const env = { MAYFLY_DATABASE_URL: url.href, MAYFLY_PLUGINS: ',', MAYFLY_LOG: 'error' }
  const servers = [await startServer({ env })]
  servers.push(...(await Promise.all(Array.from({ length: SERVERS - 1 }, () => startServer({ env })))))
  closing.push(() => Promise.all(servers.map((server) => server.kill())))

  let sent = 0
  const load = startViewLoad(() => servers[sent++ % SERVERS]?.url as string, LANES)
  await vi.waitFor(() => expect(load.granted.size).toBeGreaterThan(LOADED), RECOVERY)
  await primary.stop()
  const before = load.granted.size
  const promoted = connectAsAdmin('postgres', standby.url)
  await promoted.raw('select pg_promote()')
  await promoted.destroy()
  address.moveTo(portOf(standby.url))
  for (const server of servers)
    await vi.waitFor(async () => expect((await fetch(`${server.url}/readyz`)).status).toBe(204), RECOVERY)
  await vi.waitFor(() => expect(load.granted.size).toBeGreaterThan(before + LOADED), RECOVERY)
  await load.stop()

  // Exactly one of two claims was granted, also for each secret that the lost primary had acknowledged.
  expect([...load.granted.values()].filter((count) => count !== 1)).toEqual([])
  expect([...load.responses.keys()].sort()).toEqual([200, 201, 404, 503])
})

const portOf = (url: string) => Number(new URL(url).port)
