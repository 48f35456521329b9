import { expect, test } from 'vitest'
import { withFallback } from './locale-fallback.js'

const ENGLISH = {
  title: 'Title',
  menu: { open: 'Open', close: 'Close' },
  files_one: '1 file',
  files_other: '{{count}} files',
}

test('withFallback adds the English text of missing keys', () => {
  expect(withFallback({ title: 'Titel', menu: { open: 'Auf' } }, ENGLISH, 'de')).toEqual({
    ...ENGLISH,
    title: 'Titel',
    menu: { open: 'Auf', close: 'Close' },
  })
})

test('withFallback adds the plural forms of the language', () => {
  expect(withFallback({}, ENGLISH, 'ja')).toMatchObject({ files_other: '{{count}} files' })
  expect(withFallback({ files_one: 'a', files_other: 'b' }, ENGLISH, 'ru')).toMatchObject({
    files_one: 'a',
    files_few: 'b',
    files_many: 'b',
    files_other: 'b',
  })
})

test('withFallback keeps complete texts as they are', () => {
  expect(withFallback(ENGLISH, ENGLISH, 'en')).toEqual(ENGLISH)
})
