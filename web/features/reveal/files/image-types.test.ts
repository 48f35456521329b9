import { expect, test } from 'vitest'
import { previewType } from './image-types.js'

const FILE = { type: 'image/png', size: 20_000_000, ticket: 'ticket' }

test.each(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])('%s is shown', (type) => {
  expect(previewType({ ...FILE, type })).toBe(type)
})

test.each(['image/svg+xml', 'text/html', 'application/pdf', 'image/png, text/html', 'IMAGE/SVG+XML', ''])(
  '%s is only saved',
  (type) => {
    expect(previewType({ ...FILE, type })).toBe(null)
  },
)

test('what is too large, and what the server does not have, is not shown', () => {
  expect(previewType({ ...FILE, size: FILE.size + 1 })).toBe(null)
  expect(previewType({ ...FILE, ticket: null })).toBe(null)
})
