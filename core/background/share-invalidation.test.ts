import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { CachedPart, Invalidation } from '../contracts/invalidation.js'
import { createLog } from '../lib/log.js'
import { shareInvalidation } from './share-invalidation.js'

function start(publish: Invalidation['publish']) {
  const cleared: string[] = []
  const lines: string[] = []
  let tell: (part: string) => void = () => {}
  const share = shareInvalidation({
    invalidations: [
      {
        publish,
        subscribe(listener) {
          tell = listener
        },
      },
    ],
    clear: {
      settings: () => void cleared.push('settings'),
      'public-lists': () => void cleared.push('lists'),
      webhooks: () => void cleared.push('webhooks'),
    },
    log: createLog('warn', 'json', (line) => void lines.push(line)),
  })
  return { share, cleared, lines, tell: (part: string) => tell(part) }
}

test('a message of another process clears the caches of its part, and unknown parts are ignored', () => {
  const { tell, cleared } = start(async () => {})
  for (const part of ['settings', 'sessions ☃', 'constructor', 'public-lists', 'webhooks']) tell(part)
  expect(cleared).toEqual(['settings', 'lists', 'webhooks'])
})

test('a change is published, and a failure is logged without its message', async () => {
  const published: CachedPart[] = []
  const { share, cleared, lines } = start(async (part) => {
    published.push(part)
    if (part === 'settings') throw new Error('connect 10.0.0.1:6379')
  })
  share('settings')
  share('public-lists')
  await setImmediate()
  expect([published, cleared]).toEqual([['settings', 'public-lists'], []])
  expect(lines).toEqual([expect.stringContaining('other processes were not told of a change')])
  expect(lines.join()).not.toContain('10.0.0.1')
})
