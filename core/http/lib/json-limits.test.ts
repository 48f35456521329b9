import { scan } from '@hapi/bourne'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FILE_NAME_MAX, FILES_MAX, PASSWORD_MAX, TITLE_MAX } from '#shared/limits'
import { parseJson } from './json-body.js'
import { assertJsonLimits, DEPTH_MAX, OUTSIDE_MAX, STRUCTURE_MAX } from './json-limits.js'

const MiB = 2 ** 20
const MAX_BYTES = 4 * MiB
const check = (text: string, maxBytes = MAX_BYTES) => assertJsonLimits(Buffer.from(text), maxBytes)
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const refused = expect.objectContaining({ code: 'request.invalid' })

test('SEC-07: the depth of a body is limited', () => {
  check(nested(DEPTH_MAX))
  expect(() => check(nested(DEPTH_MAX + 1))).toThrow(refused)
  expect(() => check('{"a":'.repeat(DEPTH_MAX + 1))).toThrow(refused)
})

test('SEC-07: the number of structural characters is limited, in siblings too', () => {
  const withCommas = (count: number) => `[${Array(count - 1).fill('1')}]`
  check(withCommas(STRUCTURE_MAX))
  expect(() => check(withCommas(STRUCTURE_MAX + 1))).toThrow(refused)
  expect(() => check('{} '.repeat(STRUCTURE_MAX))).toThrow(refused)
})

test('characters in strings are not structure', () => {
  for (const text of ['['.repeat(MiB), '\\"[{,:'.repeat(10_000), '\\\\', `${'\\\\'.repeat(9)}\\"[`])
    check(`{"text":"${text}"}`)
  expect(() => check(`{"text":"\\\\"${'['.repeat(DEPTH_MAX + 1)}`)).toThrow(refused)
})

test('escapes are limited to the number that the longest text needs', () => {
  const title = '☃'.repeat(TITLE_MAX)
  for (const text of ['☃'.repeat(MiB), '\\n'.repeat(MiB), '☃\\n'.repeat(MiB / 2)])
    check(`{"text":"${text}","title":"${title}"}`)
  for (const text of ['\\n'.repeat(2 * MiB), '\\\\'.repeat(2 * MiB), '☃\\n'.repeat(1.5 * MiB)])
    expect(() => check(`{"text":"${text}"}`)).toThrow(refused)
})

test('a string ends at its quote, wherever it begins', () => {
  const structure = ','.repeat(STRUCTURE_MAX)
  for (let before = 0; before < 9; before++) {
    for (let inside = 0; inside < 9; inside++) {
      for (const end of ['', '\\"', '\\\\', '\\\\\\"', '☃']) {
        const text = `${' '.repeat(before)}"${'a'.repeat(inside)}${end}"`
        const bytes = Buffer.from(`x${text}${structure}`)
        for (const each of [bytes, bytes.subarray(1)]) {
          assertJsonLimits(each, MAX_BYTES)
          expect(() => assertJsonLimits(Buffer.concat([each, Buffer.from(',')]), MAX_BYTES)).toThrow(refused)
        }
        assertJsonLimits(Buffer.from(text.slice(0, -1) + structure.repeat(2)), MAX_BYTES)
      }
    }
  }
})

test('SEC-07: the bytes outside strings are limited', () => {
  const around = (filling: string) => `{"ttl":${filling}}`
  check(around('1'.repeat(OUTSIDE_MAX - 10)))
  for (const unit of ['1', ' ', '☃', '1e', '""']) expect(() => check(around(unit.repeat(OUTSIDE_MAX)))).toThrow(refused)
  check(`{"text":"${'1'.repeat(MiB)}","name":"${' '.repeat(MiB)}"}`)
})

test('the largest body of a route is within the limits', () => {
  const name = '☃'.repeat(FILE_NAME_MAX)
  const file = { name, type: name, content: 'Z3LDvG4=' }
  const body = {
    text: 'é'.repeat(MiB / 2),
    ttl: 600,
    maxViews: 5,
    preventBurn: false,
    allowedIp: '2001:db8::/32',
    notify: true,
    receipt: true,
    isPublic: false,
    title: '☃'.repeat(TITLE_MAX),
    password: '☃'.repeat(PASSWORD_MAX),
    files: Array<object>(FILES_MAX).fill(file),
  }
  expect(parseJson(Buffer.from(JSON.stringify(body)), MAX_BYTES, scan)).toEqual(body)
})

test('SEC-07: any value within the limits is parsed unchanged, and others are refused', () => {
  const measure = (value: unknown): { depth: number; structure: number } => {
    if (typeof value !== 'object' || value === null) return { depth: 0, structure: 0 }
    const children = Object.values(value).map(measure)
    const separators = Math.max(0, children.length - 1) + (Array.isArray(value) ? 0 : children.length)
    return {
      depth: 1 + Math.max(0, ...children.map(({ depth }) => depth)),
      structure: 2 + separators + children.reduce((sum, { structure }) => sum + structure, 0),
    }
  }
  fc.assert(
    fc.property(
      fc.oneof(fc.object({ maxDepth: 20 }), fc.array(fc.jsonValue({ maxDepth: 20 }))),
      fc.boolean(),
      (given, isSpaced) => {
        const text = JSON.stringify(given, null, isSpaced ? 1 : 0)
        const value = JSON.parse(text)
        const { depth, structure } = measure(value)
        const isAllowed = depth <= DEPTH_MAX && structure <= STRUCTURE_MAX && !text.includes('"__proto__":')
        if (isAllowed) expect(parseJson(Buffer.from(text), MAX_BYTES, scan)).toEqual(value)
        else expect(() => parseJson(Buffer.from(text), MAX_BYTES, scan)).toThrow(refused)
      },
    ),
  )
})

test.each([nested(DEPTH_MAX + 1), `[${Array(STRUCTURE_MAX).fill('1')}]`])(
  'valid JSON beyond the limits is refused',
  (text) => expect(() => parseJson(Buffer.from(text), MAX_BYTES, scan)).toThrow(refused),
)

test.each(['', 'null', '1', '"text"', '{', '{}{}', '{"__proto__":{}}', '{"a":{"\\u005f_proto__":1}}'])(
  'the body %j is refused',
  (text) => expect(() => parseJson(Buffer.from(text), MAX_BYTES, scan)).toThrow(refused),
)

test('a byte order mark is ignored', () => {
  expect(parseJson(Buffer.from('\ufeff{"text":"☃"}'), MAX_BYTES, scan)).toEqual({ text: '☃' })
})
