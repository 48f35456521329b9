import { utf8ToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeText, type EnvelopeHeader, encodeText, packEnvelope, paddedLength, unpackEnvelope } from './envelope.js'

const header: EnvelopeHeader = {
  title: 'Tïtle ☃ "quoted"\n',
  created: 1_790_000_000_000,
  ttl: 86_400,
  maxViews: 1,
  preventBurn: false,
  hasPassword: false,
  files: [
    {
      id: 'AAECAwQFBgcICQoLDA0ODw',
      name: '../Übersicht ☃\u202e.pdf',
      type: 'application/pdf',
      size: 0,
      key: 'A'.repeat(43),
      digest: '0'.repeat(64),
    },
  ],
}
const [file] = header.files

test('unpackEnvelope returns header and bytes unchanged', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 6000 }), (text) => {
      const packed = packEnvelope(header, text)
      const back = unpackEnvelope(packed)
      expect(back.header).toEqual(header)
      expect(Buffer.compare(back.text, text)).toBe(0)
      expect(packed.length).toBe(paddedLength(packed.length))
    }),
  )
})

test('the text follows the first line unchanged', () => {
  const packed = packEnvelope(header, utf8ToBytes('one\ntwo\n'))
  expect(Buffer.from(packed).toString().split('\n').slice(1).join('\n')).toBe('one\ntwo\n')
})

describe('envelopes have bucket lengths only', () => {
  test('CRY-07: 10,000 random lengths give few sizes', () => {
    const sizes = new Set<number>()
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000 }), (length) => {
        sizes.add(packEnvelope(header, new Uint8Array(length)).length)
      }),
      { numRuns: 10_000 },
    )
    // 16 multiples of 256, then at most 32 Padmé sizes an octave over 4 KiB to 128 KiB.
    expect(sizes.size).toBeLessThanOrEqual(16 + 5 * 32)
  })

  test.each([
    [1, 256],
    [256, 256],
    [257, 512],
    [4096, 4096],
    [4097, 4352],
    [9000, 9216],
    [1_000_000, 1_015_808],
  ])('%i becomes %i', (length, padded) => {
    expect(paddedLength(length)).toBe(padded)
  })

  test('CRY-07: Padmé costs at most 12 %', () => {
    fc.assert(fc.property(fc.integer({ min: 4097, max: 2 ** 26 }), (length) => paddedLength(length) <= length * 1.12))
  })
})

describe('unpackEnvelope rejects other data', () => {
  const line = (change: object) => utf8ToBytes(`${JSON.stringify({ v: 1, ...header, pad: '', ...change })}\ntext`)
  test.each([
    ['no line at all', utf8ToBytes('text')],
    ['no JSON', utf8ToBytes('text\ntext')],
    ['null', utf8ToBytes('null\ntext')],
    ['another version', line({ v: 2 })],
    ['a title of another type', line({ title: 1 })],
    ['a title that is a list', line({ title: ['x'] })],
    ['a time of creation of another type', line({ created: '1' })],
    ['a lifetime of another type', line({ ttl: null })],
    ['views of another type', line({ maxViews: '1' })],
    ['preventBurn of another type', line({ preventBurn: 1 })],
    ['hasPassword of another type', line({ hasPassword: null })],
    ['files of another type', line({ files: {} })],
    ['a file that is not an object', line({ files: [null] })],
    ['a file without id', line({ files: [{ ...file, id: undefined }] })],
    ['a file whose id is a path', line({ files: [{ ...file, id: '../../../secret/AAAAAAA' }] })],
    ['a name of another type', line({ files: [{ ...file, name: 1 }] })],
    ['a name that is a list', line({ files: [{ ...file, name: ['x'] }] })],
    ['a type of another type', line({ files: [{ ...file, type: null }] })],
    ['a type that is a list', line({ files: [{ ...file, type: ['x'] }] })],
    ['half a byte', line({ files: [{ ...file, size: 0.5 }] })],
    ['a negative number of bytes', line({ files: [{ ...file, size: -1 }] })],
    ['more bytes than can be counted', line({ files: [{ ...file, size: 2 ** 53 }] })],
    ['a size in letters', line({ files: [{ ...file, size: '1' }] })],
    ['a short key', line({ files: [{ ...file, key: 'A'.repeat(42) }] })],
    ['a second spelling of a key', line({ files: [{ ...file, key: `${'A'.repeat(42)}B` }] })],
    ['a short digest', line({ files: [{ ...file, digest: '0'.repeat(63) }] })],
    ['a digest in capitals', line({ files: [{ ...file, digest: 'A'.repeat(64) }] })],
    ['one file twice', line({ files: [file, file] })],
    ['more files than any secret has', line({ files: Array(101).fill(file) })],
    ['not UTF-8', new Uint8Array([0xff, 0x0a, 0x41])],
  ])('%s', (_, bytes) => {
    expect(() => unpackEnvelope(bytes)).toThrow(expect.objectContaining({ problem: 'hostile' }))
  })

  test('the unchanged header line is accepted', () => {
    expect(unpackEnvelope(line({})).header).toEqual(header)
  })
})

describe('unpackEnvelope cuts long texts', () => {
  const unpack = (title: string, name: string, type: string) => {
    const { id = '', size = 0, key = '', digest = '' } = file ?? {}
    return unpackEnvelope(
      packEnvelope({ ...header, title, files: [{ id, name, type, size, key, digest }] }, utf8ToBytes('é')),
    )
  }

  test('texts of 255 characters stay', () => {
    const text = 'é'.repeat(255)
    const { header } = unpack(text, text, text)
    expect([header.title, header.files[0]?.name, header.files[0]?.type]).toEqual([text, text, text])
  })

  test('CRY-08: longer texts are cut, names later than others, and the text of the secret stays', () => {
    const long = '☃'.repeat(2 ** 20)
    const { header, text } = unpack(long, long, long)
    const bounded = '☃'.repeat(255)
    expect([header.title, header.files[0]?.type]).toEqual([bounded, bounded])
    // Long enough for safeFileName to find the extension.
    expect(header.files[0]?.name).toBe('☃'.repeat(1024))
    expect(decodeText(text)).toBe('é')
  })

  test('a character is never cut in half', () => {
    expect(unpack('😀'.repeat(200), 'a', 'b').header.title).toBe('😀'.repeat(127))
  })
})

describe('text', () => {
  test('CRY-03: text in any script is decoded unchanged', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => decodeText(encodeText(text)) === text))
  })
  test('CRY-03: text with an unpaired surrogate is rejected', () => {
    expect(() => encodeText('a\ud800b')).toThrow(RangeError)
    expect(() => encodeText('\udc00')).toThrow(RangeError)
    expect(encodeText('😀')).toHaveLength(4)
  })
  test('bytes that are not UTF-8 are decoded to null', () => {
    expect(decodeText(new Uint8Array([0xff, 0xfe]))).toBe(null)
  })
  test('text keeps its byte order mark', () => {
    expect(decodeText(encodeText('\ufeffa'))).toBe('\ufeffa')
  })
})
