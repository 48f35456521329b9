/** A process of processes.ts: runs the given calls concurrently and returns their results. */
import { tmpdir } from 'node:os'
import type { Plugin } from '#core/plugins/plugin'
import { openStorage } from '#core/testing/lib/open-plugin'

/**
 * A method of the storage and its arguments, such as `['secrets.view', { id, claimHash, now, graceMs }]`. With a
 * question mark after the method name returns the outcome instead: `done`, or the code of its AppError.
 */
export type Call = [method: string, ...args: unknown[]]
export type Answer = { index: number; value: unknown } | { index: number; error: string }

type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>

/**
 * @public Named in the code that `processes.ts` evaluates. `options` of the plugin as JSON. `open` comes first, so that
 * also the opening can be raced.
 */
export function answerCalls(plugin: Plugin, options: string): void {
  const opened = new Map<string, Methods>()

  async function perform(method: string, args: unknown[]): Promise<unknown> {
    if (method === 'open') {
      if (opened.size > 0) return null
      const { storage } = await openStorage(plugin, { options: JSON.parse(options), dataDir: tmpdir() })
      for (const [name, store] of Object.entries({ ...storage, storage })) opened.set(name, store as unknown as Methods)
      return null
    }
    if (method.endsWith('?')) {
      const done = () => 'done'
      return perform(method.slice(0, -1), args).then(done, (error) => error.code ?? Promise.reject(error))
    }
    const [store = '', name = ''] = method.split('.')
    return opened.get(store)?.[name]?.(...args)
  }

  const tell = (response: Answer) => void process.send?.(response)
  process.on('message', (calls: Call[]) => {
    for (const [index, [method, ...args]] of calls.entries()) {
      perform(method, args).then(
        (value) => tell({ index, value }),
        (error) => tell({ index, error: error.cause?.message ?? error.message }),
      )
    }
  })
  process.send?.('ready')
}
