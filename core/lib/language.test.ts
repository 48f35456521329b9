import { afterEach, expect, test, vi } from 'vitest'
import { createLanguageNegotiator, direction } from './language.js'

const available = ['en', 'ar', 'he', 'id', 'nb', 'pt-BR', 'pt-PT', 'zh-CN', 'zh-TW']
const negotiate = createLanguageNegotiator(available)

afterEach(() => void vi.restoreAllMocks())

test.each([
  [['ar'], 'ar'],
  [['ar-EG', 'en'], 'ar'],
  [['xx', 'ar', 'en'], 'ar'],
  [['no'], 'nb'],
  [['nn-NO'], 'nb'],
  [['iw'], 'he'],
  [['in'], 'id'],
  [['pt'], 'pt-BR'],
  [['pt-PT'], 'pt-PT'],
  [['zh-Hant'], 'zh-TW'],
  [['zh-HK'], 'zh-TW'],
  [['zh-SG'], 'zh-CN'],
  [['*'], 'en'],
  [['', '../../etc', 'a'.repeat(300)], 'en'],
  [[], 'en'],
])('the language for the tags %j is %s', (tags, language) => {
  expect(negotiate(tags.join(','))).toBe(language)
  expect(negotiate(tags.join(', '))).toBe(language)
})

test.each([
  ['ar;q=0.5, he', 'he'],
  ['ar;q=0.5,he;q=0.7,*;q=0.1', 'he'],
  ['ar;q=0,he;q=0.1', 'he'],
  ['ar ; Q=0.2, pt-PT ;q=0.3', 'pt-PT'],
  ['ar;q=é,he;q=0.001', 'he'],
  [';q=1,;;,=', 'en'],
])('the language for the header %j is %s', (header, language) => {
  expect(negotiate(header)).toBe(language)
})

test('negotiation ignores all but the first 20 tags and the first 1,024 characters', () => {
  const unknown = (count: number) => Array(count).fill('xx').join()
  expect(negotiate(`${unknown(19)},ar`)).toBe('ar')
  expect(negotiate(`${unknown(20)},ar`)).toBe('en')
  expect(negotiate(`${'x'.repeat(1021)},ar`)).toBe('ar')
  expect(negotiate(`${'x'.repeat(1024)},ar`)).toBe('en')
})

test('SEC-35: a header of 15 kB parses at most 20 tags, and no tags when it is repeated', () => {
  const parse = vi.spyOn(Intl, 'Locale')
  const negotiateAnew = createLanguageNegotiator(available)
  // Each tag is parsed twice: before and after the replacement of its alias.
  expect(parse).toHaveBeenCalledTimes(2 * available.length)
  parse.mockClear()
  const tags = Array.from({ length: 5000 }, (_, index) => `a${String.fromCharCode(97 + (index % 26))}`)
  expect(negotiateAnew(tags.join().replaceAll('ar', 'aa'))).toBe('en')
  expect(parse.mock.calls.length).toBeGreaterThan(0)
  expect(parse.mock.calls.length).toBeLessThanOrEqual(2 * 20)
  parse.mockClear()
  expect(negotiateAnew(tags.join().replaceAll('ar', 'aa'))).toBe('en')
  expect(parse).not.toHaveBeenCalled()
})

test('direction is right to left for Arabic', () => {
  expect([direction('ar'), direction('pt-BR')]).toEqual(['rtl', 'ltr'])
})
