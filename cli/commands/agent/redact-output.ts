/**
 * Removes secrets from the output of a command: as they are, line by line, and in the encodings that programs print by
 * accident. A program that wants to reveal a secret can always do so.
 */

export const REDACTED = '[redacted]'

/** Shorter lines of a multi-line value, such as `{`, are not secret by themselves. */
const LINE_MIN = 4

/**
 * Returns the first `max` characters of the text with each form of a value replaced. Line breaks and spaces inside a
 * form do not hide it. The text must go on behind `max`: a form that is cut off is not found.
 */
export function redactOutput(text: string, values: string[], max = text.length): string {
  const { squeezed, positions } = squeeze(text)
  const ranges = values.flatMap(listForms).flatMap((form) => findRanges(squeezed, positions, form))
  let clean = ''
  let end = 0
  for (const [from, to] of ranges.sort((one, other) => one[0] - other[0])) {
    if (from >= max) break
    if (from >= end) clean += text.slice(end, from) + REDACTED
    end = Math.max(end, to)
  }
  return clean + text.slice(end, Math.max(end, max))
}

/** Without white space and in lower case, with the position of each character in the text. */
function squeeze(text: string): { squeezed: string; positions: number[] } {
  const positions: number[] = []
  let squeezed = ''
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (/\s/.test(character)) continue
    positions.push(at)
    squeezed += lower(character)
  }
  return { squeezed, positions }
}

function findRanges(squeezed: string, positions: number[], form: string): [from: number, to: number][] {
  const ranges: [number, number][] = []
  for (let at = squeezed.indexOf(form); at >= 0; at = squeezed.indexOf(form, at + form.length)) {
    ranges.push([positions[at] as number, (positions[at + form.length - 1] as number) + 1])
  }
  return ranges
}

/** ASCII only, because other letters may become two. */
const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** The forms of a value in an output, without white space and in lower case. Longest first. */
function listForms(value: string): string[] {
  const lines = value.split(/\r?\n/).map((line) => line.trim())
  const parts = [value, value.trim(), ...(lines.length > 1 ? lines.filter(({ length }) => length >= LINE_MIN) : [])]
  const forms = parts.flatMap((part) => [part, ...listEncodings(part)])
  const squeezed = forms.map((form) => lower(form.replace(/\s/g, ''))).filter((form) => form !== '')
  return [...new Set(squeezed)].sort((one, other) => other.length - one.length)
}

function listEncodings(value: string): string[] {
  const bytes = Buffer.from(value)
  const json = JSON.stringify(value).slice(1, -1)
  const percent = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
  return [
    bytes.toString('hex'),
    ...listBase64(bytes),
    encodeURIComponent(value.toWellFormed?.() ?? value),
    encodeURI(value.toWellFormed?.() ?? value),
    new URLSearchParams([['', value]]).toString().slice(1),
    percent,
    json,
    value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  ]
}

/** A value may begin at each of three positions of an encoded text, as the password in `user:password`. */
function listBase64(bytes: Buffer): string[] {
  const whole = bytes.toString('base64url')
  const inside = [1, 2].map((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64url')
    // The first characters contain bits of the preceding byte.
    return shifted.slice(offset === 1 ? 2 : 3)
  })
  // The last character contains bits of the following byte.
  const forms = [whole, ...inside]
    .flatMap((form) => [form, form.slice(0, -1)])
    .filter(({ length }) => length >= LINE_MIN)
  return forms.flatMap((form) => [form, form.replaceAll('-', '+').replaceAll('_', '/')])
}
