import { beforeEach, expect, test, vi } from 'vitest'
import type { PublicSettings } from '#shared/api'
import { storeLastOptions } from '../../../lib/last-options.js'
import { DraftStore } from '../draft/draft-store.js'
import { defaultValues, keepOptions, lastValues, presetValues } from './start-values.js'

const HOUR_S = 3600
const LAST = { ttl: 2 * HOUR_S, views: 3, preventBurn: true, notify: true, receipt: true, isMoreOpen: true }
const DEFAULTS = { ttl: HOUR_S, views: '2', preventBurn: false, notify: false, receipt: false }

function settingsWith(policy: Partial<PublicSettings['policy']> = {}, canNotify = true): PublicSettings {
  const lifetimes = [{ min: 60, max: 24 * HOUR_S }]
  const all = Object.assign({ lifetimes, ttl: HOUR_S, views: 2, unlimitedViews: true }, policy)
  return { policy: all, limits: { maxViews: 5 }, canNotify } as PublicSettings
}

beforeEach(() => {
  const items = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
    removeItem: (key: string) => items.delete(key),
  })
})

test('a preset comes before the last options, and these before the defaults', () => {
  expect(defaultValues(settingsWith())).toEqual(DEFAULTS)
  expect(lastValues(settingsWith())).toEqual(Object.assign({ isMoreOpen: false }, DEFAULTS))
  storeLastOptions(LAST)
  const last = lastValues(settingsWith())
  expect(last).toEqual(Object.assign({}, LAST, { views: '3' }))
  expect(presetValues({ name: '☃', ttl: 60, options: ['receipt'] }, last)).toEqual({
    ttl: 60,
    views: '3',
    preventBurn: false,
    notify: false,
    receipt: true,
  })
  expect(presetValues({ name: '☃', maxViews: 4, options: ['notify'] }, last)).toMatchObject({
    ttl: 2 * HOUR_S,
    views: '4',
    notify: true,
  })
})

test('a last option that the policy no longer allows is the default', () => {
  storeLastOptions(LAST)
  expect(lastValues(settingsWith({ lifetimes: [{ min: 60, max: HOUR_S }] }))).toMatchObject({ ttl: HOUR_S, views: '3' })
  expect(lastValues(settingsWith({ unlimitedViews: false })).preventBurn).toBe(false)
  expect(lastValues(settingsWith({}, false)).notify).toBe(false)
  storeLastOptions(Object.assign({}, LAST, { views: 6 }))
  expect(lastValues(settingsWith()).views).toBe('2')
})

test.each([
  'no JSON',
  '7',
  'null',
  '[]',
  '{"ttl":"3600","views":1.5,"preventBurn":1,"receipt":"☃"}',
  `{"views":3,"x":"${'☃'.repeat(500)}"}`,
])('stored options that the page did not store are ignored: %s', (text) => {
  localStorage.setItem('last-options', text)
  expect(lastValues(settingsWith())).toEqual(Object.assign({ isMoreOpen: false }, DEFAULTS))
})

test('only options are kept, none of a public secret, and none for a form with the defaults', () => {
  const { initial } = new DraftStore()
  const store = { initial, isMoreOpen: false }
  const changed = {
    views: '3',
    password: 'пароль',
    title: 'Título',
    allowedIp: '10.0.0.1',
    recipients: 'a@example.org',
  }
  keepOptions(Object.assign({}, initial, changed), store)
  const kept = { ttl: 86_400, views: 3, preventBurn: false, notify: false, receipt: false, isMoreOpen: false }
  expect(JSON.parse(localStorage.getItem('last-options') ?? '')).toEqual(kept)
  keepOptions(Object.assign({}, initial, { isPublic: true }), store)
  expect(JSON.parse(localStorage.getItem('last-options') ?? '')).toEqual(kept)
  keepOptions(Object.assign({}, initial, { password: 'other' }), store)
  expect(localStorage.getItem('last-options')).toBeNull()
})
