import { expect, test } from 'vitest'
import { moveKeyToFragment } from './paths.js'

test.each([
  ['/secret/KEY/ID', '/secret/ID#KEY'],
  ['/secret/KEY/ID/', '/secret/ID#KEY'],
  ['/Secret/KEY/ID', '/secret/ID#KEY'],
])('%s becomes %s', (path, form) => {
  expect(moveKeyToFragment(path, '')).toBe(form)
})

test('what stands before every path stays', () => {
  expect(moveKeyToFragment('/secrets/secret/KEY/ID', '/secrets')).toBe('/secrets/secret/ID#KEY')
  expect(moveKeyToFragment('/secret/secret/ID', '/secret')).toBeNull()
})

test.each(['/', '/secret/ID', '/secret/ID/', '/secret//ID', '/public/alice', '/secret/a/b/c'])('%s stays', (path) => {
  expect(moveKeyToFragment(path, '')).toBeNull()
})
