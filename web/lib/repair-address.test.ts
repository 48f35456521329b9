import { expect, test } from 'vitest'
import { formatFragment } from '#shared/link'
import { isChangedAddress } from './paths.js'
import { repairAddress } from './repair-address.js'

const ID = 'AAECAwQFBgcICQoLDA0ODw'
const FRAGMENT = formatFragment(new Uint8Array(32).fill(7))
const ORIGIN = 'https://secrets.example.org'

test.each(['', '/mayfly'])('CRY-16: a changed address leads to the link in it, below %j', (base) => {
  for (const page of ['secret', 'lite']) {
    const url = `${ORIGIN}${base}/${page}/${ID}`
    const changed = [
      `${url}%23${FRAGMENT}`,
      `${url}%23${FRAGMENT}?utm_source=é`,
      `${url}#${FRAGMENT}&utm_source=mail`,
      `${url}?utm_source=mail#${FRAGMENT}`,
      `${url}#${FRAGMENT}%20`,
    ]
    for (const href of changed) {
      expect(isChangedAddress(new URL(href), base), href).toBe(true)
      expect(repairAddress(href, base), href).toBe(`${base}/${page}/${ID}#${FRAGMENT}`)
    }
  }
})

test.each([
  '/',
  '/account?page=2',
  '/signin?next=%2Faccount',
  `/secret/${ID}`,
  `/secret/${ID}/`,
  `/secret/${ID}#0`,
  `/secret/${ID}#${FRAGMENT}`,
  `/secret/${ID}~AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8`,
  `/request/${ID}#${FRAGMENT}`,
  `/receipt#${FRAGMENT}`,
])('%s is not a changed address', (path) => {
  expect(isChangedAddress(new URL(ORIGIN + path), '')).toBe(false)
})

test('an address without a valid link stays', () => {
  for (const path of [`/secret/${ID}%23${FRAGMENT.slice(1)}`, '/account&x', '/', '/secret/%zz'])
    expect(repairAddress(ORIGIN + path, '')).toBeNull()
})
