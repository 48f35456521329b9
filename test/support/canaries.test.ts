import { expect, test } from 'vitest'
import { findCanaries } from './canaries.js'

const canary = 'canary ☃ hunter2'
const around = (text: string | Buffer) =>
  Buffer.concat([Buffer.from('before '), Buffer.from(text as string), Buffer.from(' after')])
const hex = Buffer.from(canary).toString('hex')

test.each([
  ['raw', canary],
  ['hex', hex],
  ['HEX', hex.toUpperCase()],
  ['uri', encodeURIComponent(canary)],
  ['percent', hex.replace(/../g, '%$&')],
  ['utf16', Buffer.from(canary, 'utf16le')],
  ...['', 'a', 'ab', 'abc'].flatMap((before): [string, string][] => [
    ['base64', Buffer.from(`${before}${canary}`).toString('base64')],
    ['base64url', Buffer.from(`${before}${canary} and more`).toString('base64url')],
  ]),
])('a canary is found as %s', (form, text) => {
  expect(findCanaries(around(text), { it: canary }).join()).toContain(`it (${form}`)
})

test('findCanaries finds nothing in clean data', () => {
  expect(findCanaries(around('hunter3'), { it: canary, bytes: new Uint8Array([1, 2, 3, 4]) })).toEqual([])
})
