import { describe, expect, test } from 'vitest'
import { chooseLinkBase } from './link-base.js'

const SERVER = 'https://secrets.example.org/mayfly/'
const PUBLIC = 'https://öffentlich.example/s'

describe('the base of a link', () => {
  test.each([
    ['https://secrets.example.org/mayfly/secret/x', [SERVER], 'https://secrets.example.org/mayfly'],
    ['https://secrets.example.org/other/secret/x', [SERVER], 'https://secrets.example.org/mayfly'],
    ['https://SECRETS.example.org:443/secret/x', [SERVER], 'https://secrets.example.org/mayfly'],
    ['https://öffentlich.example/secret/x', [PUBLIC, SERVER], `${new URL(PUBLIC).origin}/s`],
    ['https://secrets.example.org/secret/x', [PUBLIC, SERVER], 'https://secrets.example.org/mayfly'],
    ['http://localhost:3000/secret/x', [SERVER], 'https://secrets.example.org/mayfly'],
    ['http://localhost:3000/secret/x', ['http://127.0.0.1:3000'], 'http://127.0.0.1:3000'],
  ])('for %s and %j is %s', (url, addresses, base) => expect(chooseLinkBase(url, addresses)).toBe(base))

  test.each([
    'https://evil.example/secret/x',
    'https://secrets.example.org.evil.example/mayfly/secret/x',
    'https://secrets.example.org@evil.example/secret/x',
    'http://secrets.example.org/mayfly/secret/x',
    'https://secrets.example.org:8443/secret/x',
    'https://localhost.evil.example/secret/x',
    'javascript:alert(1)',
    '',
  ])('CRY-17: is refused for %j', (url) => {
    expect(() => chooseLinkBase(url, [PUBLIC, SERVER])).toThrow('another address')
  })
})
