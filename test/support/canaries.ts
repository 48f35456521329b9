/** Searches stored, logged and sent data for planted values, also in common encodings. */

/** Names of the canaries that are in the haystack, each with the form in which it was found. */
export function findCanaries(haystack: Uint8Array, canaries: Record<string, Uint8Array | string>): string[] {
  const hay = Buffer.from(haystack.buffer, haystack.byteOffset, haystack.byteLength)
  return Object.entries(canaries).flatMap(([name, canary]) =>
    formsOf(Buffer.from(canary as string))
      .filter(([, needle]) => hay.includes(needle))
      .map(([form]) => `${name} (${form})`),
  )
}

/** Raw, hex, percent-encoded, UTF-16, and base64 with both alphabets at each of the three places where it can start. */
function formsOf(canary: Buffer): [form: string, needle: Buffer][] {
  const hex = canary.toString('hex')
  const percent = [...canary].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
  const text = canary.toString('utf8')
  const forms: [string, string | Buffer][] = [
    ['raw', canary],
    ['hex', hex],
    ['HEX', hex.toUpperCase()],
    ['percent', percent],
    ['PERCENT', percent.toUpperCase()],
    ['uri', encodeURIComponent(text)],
    ['json', JSON.stringify(text).slice(1, -1)],
    ['utf16', Buffer.from(text, 'utf16le')],
    ...base64Forms(canary),
  ]
  return forms.map(([form, needle]) => [form, Buffer.from(needle as string)])
}

/** Base64 of something longer that holds the canary: the characters that depend on it alone. */
function base64Forms(canary: Buffer): [string, string][] {
  return [0, 1, 2].flatMap((before): [string, string][] => {
    const encoded = Buffer.concat([Buffer.alloc(before), canary])
      .toString('base64')
      .replace(/=+$/, '')
    const end = (before + canary.length) % 3 === 0 ? encoded.length : encoded.length - 1
    const inner = encoded.slice(before === 0 ? 0 : before + 1, end)
    return [
      [`base64+${before}`, inner],
      [`base64url+${before}`, inner.replaceAll('+', '-').replaceAll('/', '_')],
    ]
  })
}
