import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatFragment, formatLink, isRawId, isSecretId, LinkError, parseFragment } from './link.js'

const ID = 'AAECAwQFBgcICQoLDA0ODw'
const KEY = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8'
const FRAGMENT = `1${KEY}sk`
const problem = (run: () => unknown) => {
  try {
    run()
  } catch (error) {
    return error instanceof LinkError ? error.problem : error
  }
  return null
}

describe('a fragment', () => {
  test('a fragment is parsed to its key', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (key) => {
        const fragment = formatFragment(key)
        return fragment.length === 46 && Buffer.compare(parseFragment(fragment), key) === 0
      }),
    )
  })

  test.each([
    [` ${FRAGMENT} `],
    [`#${FRAGMENT}`],
    [`"${FRAGMENT}"`],
    [`${FRAGMENT.slice(0, 20)}\n${FRAGMENT.slice(20)}`],
    [`${FRAGMENT}.`],
    [`(${FRAGMENT}),`],
    [`${FRAGMENT}).`],
    [`<${FRAGMENT}>`],
    [`${FRAGMENT}%E2%80%9D`],
    [`„${FRAGMENT}“`],
    [`«${FRAGMENT}»`],
    [`%22${FRAGMENT}%22`],
    [`${FRAGMENT}%20`],
  ])('a fragment is parsed with additions of pasting: %j', (text) => {
    expect(formatFragment(parseFragment(text))).toBe(FRAGMENT)
  })

  test('a truncated fragment is incomplete', () => {
    for (let length = 0; length < FRAGMENT.length; length++) {
      expect(problem(() => parseFragment(FRAGMENT.slice(0, length)))).toBe('incomplete')
    }
  })

  test('a fragment with a changed character is incomplete, except its version', () => {
    for (let at = 1; at < FRAGMENT.length; at++) {
      const other = FRAGMENT[at] === 'x' ? 'y' : 'x'
      const changed = FRAGMENT.slice(0, at) + other + FRAGMENT.slice(at + 1)
      // Two check characters miss one change in 4096; the key's unused bits are checked by the decoder.
      expect(
        problem(() => parseFragment(changed)),
        changed,
      ).toBe('incomplete')
    }
  })

  test('a fragment with a broken percent encoding is incomplete', () => {
    expect(problem(() => parseFragment(`${FRAGMENT}%`))).toBe('incomplete')
  })

  test.each(['2', '9', 'k'])('a fragment of version %s needs a newer version', (version) => {
    expect(problem(() => parseFragment(version + FRAGMENT.slice(1)))).toBe('newer-version')
    expect(problem(() => parseFragment(`${version}${FRAGMENT.slice(1)}more`))).toBe('newer-version')
  })
})

test('a link consists of URL and fragment', () => {
  expect(formatLink('https://example.org/secret/x', FRAGMENT)).toBe(`https://example.org/secret/x#${FRAGMENT}`)
  expect(formatLink('https://example.org/secret/x', null)).toBe('https://example.org/secret/x')
})

test('an id has one canonical form', () => {
  expect(isSecretId(ID)).toBe(true)
  expect(isSecretId(`${ID.slice(0, -1)}x`)).toBe(false)
  expect(isRawId(`${ID}~${KEY}`)).toBe(true)
  expect(isRawId(`${ID}~${KEY.slice(0, -1)}9`)).toBe(false)
})
