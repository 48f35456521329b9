import { EventEmitter, once } from 'node:events'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { AppContext } from '../lib/state.js'
import { drainRequest } from './drain-request.js'

const MIB = 2 ** 20

test('SEC-07: up to 16 MiB of a refused body are read', async () => {
  let read = 0
  const body = new Readable({
    read(size) {
      read += size
      this.push(read > 64 * MIB ? null : Buffer.alloc(size))
    },
  })
  const stopped = Promise.race([once(body, 'pause'), once(body, 'end')])
  const req = Object.assign(body, { complete: false })
  await drainRequest({ req, res: new EventEmitter() } as unknown as AppContext, async () => {})
  await stopped
  expect(read).toBeGreaterThanOrEqual(16 * MIB)
  expect(read).toBeLessThan(17 * MIB)
})
