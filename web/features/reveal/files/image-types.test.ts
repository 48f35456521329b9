import { expect, test } from 'vitest'
import { pictureType } from './image-types.js'

const FILE = { type: 'image/png', size: 20_000_000, ticket: 'ticket' }

test.each(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])('%s is shown', (type) => {
  expect(pictureType({ ...FILE, type })).toBe(type)
})

test.each(['image/svg+xml', 'text/html', 'application/pdf', 'image/png, text/html', 'IMAGE/SVG+XML', ''])(
  '%s is only saved',
  (type) => {
    expect(pictureType({ ...FILE, type })).toBe(null)
  },
)

test('what is too large, and what the server does not have, is not shown', () => {
  expect(pictureType({ ...FILE, size: FILE.size + 1 })).toBe(null)
  expect(pictureType({ ...FILE, ticket: null })).toBe(null)
})
