import { expect, test } from 'vitest'
import { direction, negotiateLanguage } from './language.js'

const available = ['en', 'ar', 'he', 'id', 'nb', 'pt-BR', 'pt-PT', 'zh-CN', 'zh-TW']

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
])('negotiateLanguage for %j returns %s', (preferred, language) => {
  expect(negotiateLanguage(preferred, available)).toBe(language)
})

test('direction is right to left for Arabic', () => {
  expect([direction('ar'), direction('pt-BR')]).toEqual(['rtl', 'ltr'])
})
