import type i18next from 'i18next'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

const SITE = { base: '', product: 'Mayfly' }

let i18n: typeof import('./i18n.js')
let texts: typeof i18next

beforeAll(async () => {
  vi.useFakeTimers()
  vi.stubGlobal('document', {
    documentElement: { lang: 'ar' },
    querySelector: () => ({ content: JSON.stringify(SITE) }),
  })
  vi.stubGlobal('fetch', async (url: string) => {
    if (url === '/locales/ar/common.json') return Response.json({ title: 'عنوان' })
    if (url === '/locales/en/compose.json') return Response.json({ title: 'Title' })
    return new Response('', { status: 503 })
  })
  // Test files share modules, and these may have loaded another language.
  vi.resetModules()
  texts = (await import('i18next')).default
  i18n = await import('./i18n.js')
  await i18n.initI18n()
})

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('loadNamespace falls back to English when the language cannot be loaded', async () => {
  const loading = i18n.loadNamespace('compose')
  await vi.runAllTimersAsync()
  await loading
  expect(texts.t('common:title')).toBe('عنوان')
  expect(texts.t('compose:title')).toBe('Title')
})

test('loadNamespace rejects when English cannot be loaded either', async () => {
  const loading = expect(i18n.loadNamespace('files')).rejects.toThrow('503')
  await vi.runAllTimersAsync()
  await loading
})
