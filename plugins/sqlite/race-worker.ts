/** One of the processes of race.test.ts: runs the calls it is told, all at once, and tells what came of each. */
import { openStorage } from '#core/testing/open-plugin'
import sqlite from './index.js'

/** A method of the storage and its arguments, such as `['secrets.view', id, claimHash, now, graceMs]`. */
export type Call = [method: string, ...args: unknown[]]
export type Answer = { index: number; value: unknown } | { index: number; error: string }

type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>

const [, , dataDir = ''] = process.argv
const opened = new Map<string, Methods>()

process.on('message', (calls: Call[]) => {
  for (const [index, [method, ...args]] of calls.entries()) {
    perform(method, args).then(
      (value) => tell({ index, value }),
      (error) => tell({ index, error: error.cause?.message ?? error.message }),
    )
  }
})

/** `open` comes first, so that also the opening can be raced. */
async function perform(method: string, args: unknown[]): Promise<unknown> {
  if (method === 'open') {
    const { storage } = await openStorage(sqlite, { dataDir })
    for (const [name, store] of Object.entries({ ...storage, storage })) opened.set(name, store as unknown as Methods)
    return null
  }
  const [store = '', name = ''] = method.split('.')
  return opened.get(store)?.[name]?.(...args)
}

function tell(answer: Answer): void {
  process.send?.(answer)
}

process.send?.('ready')
