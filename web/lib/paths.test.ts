import { expect, test } from 'vitest'
import { moveKeyToFragment } from './paths.js'

test.each([
  ['/secret/KEY/ID', '/secret/ID#KEY'],
  ['/secret/KEY/ID/', '/secret/ID#KEY'],
  ['/Secret/KEY/ID', '/secret/ID#KEY'],
])('moveKeyToFragment turns %s into %s', (path, form) => {
  expect(moveKeyToFragment(path, '')).toBe(form)
})

test('moveKeyToFragment keeps the base path', () => {
  expect(moveKeyToFragment('/secrets/secret/KEY/ID', '/secrets')).toBe('/secrets/secret/ID#KEY')
  expect(moveKeyToFragment('/secret/secret/ID', '/secret')).toBeNull()
})

test.each(['/', '/secret/ID', '/secret/ID/', '/secret//ID', '/public/alice', '/secret/a/b/c'])(
  'moveKeyToFragment returns null for %s',
  (path) => {
    expect(moveKeyToFragment(path, '')).toBeNull()
  },
)
