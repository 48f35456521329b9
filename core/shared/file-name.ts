/** Sanitizes file names that other people chose, before they are shown or used on disk. */

/** Control characters, lone surrogates, line separators, invisible and bidirectional formatting characters. */
const INVISIBLE =
  /[\p{Cc}\p{Surrogate}\p{Zl}\p{Zp}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu
/** Path separators, and characters that Windows forbids in names. */
const FORBIDDEN = /[/\\:*?"<>|]/g
/** Device names on Windows, with any extension. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])[ .]*(\.|$)/i
/** File systems allow 255 bytes. The rest is for ` (1)` and for the suffix of temporary files. */
const BYTES_MAX = 200
/** A longer suffix is not kept as an extension. */
const EXTENSION_MAX = 20
const DEFAULT_NAME = 'file'

/**
 * Returns a name without a path that is valid on every system: never empty, `.`, `..` or a device, at most 201 bytes of
 * UTF-8. A name that begins with `-` gets `_` in front: programs such as tar would read it as an option.
 */
export function safeFileName(name: string): string {
  const safe = safeUnixFileName(name)
  return DEVICE.test(safe) ? `_${safe}` : safe
}

/** The same, but it allows the names of Windows devices, which are ordinary names on other systems. */
export function safeUnixFileName(name: string): string {
  const visible = name.replace(INVISIBLE, '').replace(FORBIDDEN, '_')
  const bounded = trimTrailingDots(shorten(trimTrailingDots(visible).trimStart()))
  if (bounded === '') return DEFAULT_NAME
  return bounded.startsWith('-') ? `_${bounded}` : bounded
}

/**
 * Windows ignores trailing dots and spaces, so two names could mean the same file.
 * A loop, because `/[. ]+$/` takes quadratic time for long runs of dots inside the name.
 */
function trimTrailingDots(name: string): string {
  let end = name.length
  while (end > 0 && '. '.includes(name.charAt(end - 1))) end--
  return name.slice(0, end)
}

/** Cuts the name before its extension, between code points. */
function shorten(name: string): string {
  if (byteLength(name) <= BYTES_MAX) return name
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 && byteLength(name.slice(dot)) <= EXTENSION_MAX ? name.slice(dot) : ''
  let stem = ''
  for (const character of name.slice(0, name.length - extension.length)) {
    if (byteLength(stem + character + extension) > BYTES_MAX) break
    stem += character
  }
  return stem + extension
}

const byteLength = (text: string) => new TextEncoder().encode(text).length
