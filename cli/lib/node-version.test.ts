import { expect, test } from 'vitest'
import manifest from '#package' with { type: 'json' }
import { describeOldNode } from './node-version.js'

test.each([
  ['18.20.8', 'needs Node 20.19 or newer, this is 18.20.8'],
  ['20.18.3', 'needs Node 20.19 or newer, this is 20.18.3'],
  ['9.99.0', 'needs Node 20.19 or newer, this is 9.99.0'],
  ['20.19.0', null],
  ['21.0.0', null],
  ['100.1.0-nightly', null],
])('Node %s: %s', (version, message) => {
  expect(describeOldNode(version)).toBe(message)
})

test('package.json names the same version', () => {
  expect(manifest.engines.node).toBe('>=20.19')
})
