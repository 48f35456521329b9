import { expect, test } from 'vitest'
import { previewType } from './image-types.js'

const FILE = { type: 'image/png', size: 20_000_000, ticket: 'ticket' }

test.each(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])(
  'SEC-03: previewType allows %s',
  (type) => {
    expect(previewType({ ...FILE, type })).toBe(type)
  },
)

test.each(['image/svg+xml', 'text/html', 'application/pdf', 'image/png, text/html', 'IMAGE/SVG+XML', ''])(
  'previewType rejects %s',
  (type) => {
    expect(previewType({ ...FILE, type })).toBe(null)
  },
)

test('previewType rejects large images and files without a ticket', () => {
  expect(previewType({ ...FILE, size: FILE.size + 1 })).toBe(null)
  expect(previewType({ ...FILE, ticket: null })).toBe(null)
})
