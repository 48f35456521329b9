import { expect, test } from 'vitest'
import { fragmentForm } from './paths.js'

test.each([
  ['/secret/KEY/ID', '/secret/ID#KEY'],
  ['/secret/KEY/ID/', '/secret/ID#KEY'],
  ['/Secret/KEY/ID', '/secret/ID#KEY'],
])('%s becomes %s', (path, form) => {
  expect(fragmentForm(path, '')).toBe(form)
})

test('what stands before every path stays', () => {
  expect(fragmentForm('/secrets/secret/KEY/ID', '/secrets')).toBe('/secrets/secret/ID#KEY')
  expect(fragmentForm('/secret/secret/ID', '/secret')).toBeNull()
})

test.each(['/', '/secret/ID', '/secret/ID/', '/secret//ID', '/public/alice', '/secret/a/b/c'])('%s stays', (path) => {
  expect(fragmentForm(path, '')).toBeNull()
})
