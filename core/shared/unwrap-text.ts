/**
 * Undoes the changes of mail and chat programs to a text with a link: encodings, line breaks, and redirects of link
 * scanners. Every step takes linear time, and the number of steps is bounded.
 */
import { lookUp } from './look-up.js'

/** Longer texts are not searched. */
export const LINK_TEXT_MAX = 32 * 1024
/** The encodings of one redirect inside another one are undone up to this number of versions of the text. */
const VERSIONS_MAX = 24

/** A text without line breaks. */
export interface UnwrappedText {
  characters: string
  /** Positions before which there was a line break. */
  breaks: Set<number>
}

/**
 * Returns the text and its decoded versions, the original first. Each is shorter than LINK_TEXT_MAX. Any of them can
 * contain the link: a `%` is part of an encoding in some texts, and a plain character in others.
 */
export function unwrapText(text: string): UnwrappedText[] {
  const versions = [removeInvisible(text.slice(0, LINK_TEXT_MAX))]
  for (let at = 0; at < versions.length; at++) {
    const version = versions[at] as string
    for (const decode of DECODERS) {
      for (const decoded of decode(version)) {
        if (versions.length < VERSIONS_MAX && !versions.includes(decoded)) versions.push(decoded)
      }
    }
  }
  return versions.map(joinLines)
}

/** Each returns the decoded texts; none if it does not apply. */
const DECODERS: ((text: string) => string[])[] = [
  decodeQuotedPrintable,
  decodeEntities,
  decodePercent,
  decodeBackslashes,
  decodeFullWidth,
  decodeProofpoint2,
  decodeProofpoint3,
]

/** Zero-width characters, soft hyphens and marks of the text direction. */
const removeInvisible = (text: string): string =>
  text.replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '')

/** Removes line breaks, and the spaces and the quotation marks of replies around them. */
function joinLines(text: string): UnwrappedText {
  const breaks = new Set<number>()
  let characters = ''
  for (const line of text.split(/[\n\r\u2028\u2029]/)) {
    breaks.add(characters.length)
    characters += line.replace(/^[\s>]+/, '').trimEnd()
  }
  return { characters, breaks }
}

/** Quoted-printable (RFC 2045): `=` before a line break continues the line, and `=3D` is a byte. */
function decodeQuotedPrintable(text: string): string[] {
  if (!/=(?:\r?\n|3D)/i.test(text)) return []
  return [text.replace(/=\r?\n/g, '').replace(/(?:=[0-9A-F]{2})+/gi, (run) => decodeBytes(run.replaceAll('=', '%')))]
}

const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  num: '#',
  nbsp: ' ',
  sol: '/',
}

/** Character references of HTML. */
function decodeEntities(text: string): string[] {
  const decoded = text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos|num|nbsp|sol));/gi,
    (all, dec, hex, name) => {
      if (name) return lookUp(ENTITIES, name.toLowerCase()) ?? all
      const code = dec ? Number(dec) : Number.parseInt(hex, 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : all
    },
  )
  return decoded === text ? [] : [removeInvisible(decoded)]
}

/** Percent encoding. Texts that are not encoded stay. */
function decodePercent(text: string): string[] {
  const decoded = text.replace(/(?:%[0-9a-f]{2})+/gi, decodeBytes)
  return decoded === text ? [] : [removeInvisible(decoded)]
}

/** Punctuation behind a backslash, in JSON, shells and Markdown, and `\u0023`. */
function decodeBackslashes(text: string): string[] {
  const decoded = text.replace(/\\(?:u([0-9a-f]{4})|([^\s\da-z]))/gi, (_, hex, character) =>
    hex ? String.fromCharCode(Number.parseInt(hex, 16)) : character,
  )
  return decoded === text ? [] : [removeInvisible(decoded)]
}

/** The ASCII characters that input methods for Chinese, Japanese and Korean write in full width. */
function decodeFullWidth(text: string): string[] {
  const decoded = text.replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
  return decoded === text ? [] : [decoded]
}

function decodeBytes(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}

/** Proofpoint URL Defense 2: in the parameter `u`, `-` stands for `%` and `_` for `/`. */
function decodeProofpoint2(text: string): string[] {
  return [...text.matchAll(/urldefense\.(?:proofpoint\.)?com\/v2\/url\?u=([^&\s<>"']{1,4096})/gi)]
    .slice(0, 4)
    .map(([, url = '']) => url.replaceAll('-', '%').replaceAll('_', '/'))
}

/** Lengths of the runs that `**` and a character stand for: A is 2, B is 3. */
const RUN_LENGTHS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/**
 * Proofpoint URL Defense 3: `*` stands for the next of the characters that follow `__;` in base64url, `**A` for the
 * next two.
 */
function decodeProofpoint3(text: string): string[] {
  return [...text.matchAll(/urldefense\.(?:proofpoint\.)?(?:com|us)\/v3\/__/gi)]
    .slice(0, 4)
    .flatMap(({ index, 0: prefix }) => {
      const start = index + prefix.length
      const end = text.indexOf('__;', start)
      if (end < 0) return []
      const replaced = decodeBase64(/^[\w-]{0,1024}/.exec(text.slice(end + 3, end + 3 + 1024))?.[0] ?? '')
      let used = 0
      const take = (count: number) => {
        used += count
        return replaced.slice(used - count, used)
      }
      const url = text
        .slice(start, end)
        .replace(/\*(?:\*([\w-]))?/g, (_, run) => take(run === undefined ? 1 : RUN_LENGTHS.indexOf(run) + 2))
      // The service writes `https:/` when it saw one slash only.
      return [url.replace(/^(https?:)\/(?!\/)/i, '$1//')]
    })
}

function decodeBase64(text: string): string {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return ''
  }
}
