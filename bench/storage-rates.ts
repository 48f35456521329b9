/** Creates and views per second of a storage, without HTTP. */
import type { Plugin, Storage } from '#core'
import { aHash, aSecret, openStorage } from '#core/testing'
import { builtIns } from '#plugins'

/** Number of concurrent calls, and of all calls. */
export interface Level {
  concurrency: number
  requests: number
}

export interface StorageJob {
  engine: 'sqlite' | 'postgres' | 'mysql'
  /** Options of the plugin. */
  options: Record<string, string>
  levels: Level[]
}

/** Calls per second. */
export interface StorageRates {
  create: number
  view: number
}

const TEXT = 'x'.repeat(700)
const HOUR = 3_600_000

/** Measures each level after a warm-up. */
export async function storageRates({ engine, options, levels }: StorageJob): Promise<StorageRates[]> {
  const plugin = (await builtIns[engine]()).default as unknown as Plugin
  const { storage, close } = await openStorage(plugin, { options })
  const rates: StorageRates[] = []
  for (const { concurrency, requests } of levels) {
    await ratesOf(storage, concurrency, Math.ceil(requests / 2))
    rates.push(await ratesOf(storage, concurrency, requests))
  }
  await close()
  return rates
}

async function ratesOf({ secrets }: Storage, concurrency: number, calls: number): Promise<StorageRates> {
  const now = Date.now()
  const all = Array.from({ length: calls }, () => aSecret({ text: TEXT, createdAt: now, expiresAt: now + HOUR }))
  return {
    create: await rateOf(all, concurrency, (secret) => secrets.create(secret, now)),
    view: await rateOf(all, concurrency, ({ id }) => secrets.view(id, aHash(), now, HOUR)),
  }
}

async function rateOf<T>(items: T[], concurrency: number, call: (item: T) => Promise<unknown>): Promise<number> {
  const waiting = items.values()
  const lane = async () => {
    for (const item of waiting) await call(item)
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: concurrency }, lane))
  return (items.length / (performance.now() - started)) * 1000
}
