import i18next, { type i18n } from 'i18next'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { localeBackend } from './locale-backend.js'

let asked: { address: string; at: number }[] = []
let response: (address: string) => Promise<Response>

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  asked = []
  vi.stubGlobal('fetch', (address: string) => {
    asked.push({ address, at: Date.now() })
    return response(address)
  })
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function start(...ns: string[]): { words: i18n; ready: Promise<unknown> } {
  const words = i18next.createInstance()
  return {
    words,
    ready: words.use(localeBackend('/under')).init({ lng: 'ar', fallbackLng: false, ns, initAsync: false }),
  }
}

test('a failed read is retried 5 times, after 350 ms and then doubling', async () => {
  response = async () => new Response('', { status: 503 })
  const { words, ready } = start('common')
  await vi.runAllTimersAsync()
  await ready
  expect(asked.map(({ at }) => at)).toEqual([0, 350, 1050, 2450, 5250, 10_850])
  expect(asked.every(({ address }) => address === '/under/locales/ar/common.json')).toBe(true)
  expect(words.hasResourceBundle('ar', 'common')).toBe(false)
})

test('a retry that succeeds provides the texts', async () => {
  response = async () => (asked.length < 3 ? Promise.reject(new TypeError('offline')) : Response.json({ a: 'أ' }))
  const { words, ready } = start('common')
  await vi.runAllTimersAsync()
  await ready
  expect(words.t('common:a')).toBe('أ')
  expect(asked).toHaveLength(3)
})

test('10 files are read at a time', async () => {
  const waiting: (() => void)[] = []
  response = () => new Promise((resolve) => waiting.push(() => resolve(Response.json({}))))
  const { ready } = start(...Array.from({ length: 12 }, (_, index) => `n${index}`))
  await vi.runAllTimersAsync()
  expect(asked).toHaveLength(10)
  waiting.shift()?.()
  await vi.runAllTimersAsync()
  expect(asked).toHaveLength(11)
  for (const go of waiting.splice(0)) go()
  await vi.runAllTimersAsync()
  for (const go of waiting.splice(0)) go()
  await ready
})
