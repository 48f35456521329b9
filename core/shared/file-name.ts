/** Names of files that strangers chose, made fit to be shown and to be saved. */

/** Control characters, lone surrogates, line separators, what is invisible, and what turns the reading direction. */
const UNSEEN = /[\p{Cc}\p{Surrogate}\p{Zl}\p{Zp}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu
/** Separators of paths, and what Windows does not take in a name. */
const FORBIDDEN = /[/\\:*?"<>|]/g
/** Windows opens a device under these names, whatever their extension. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])[ .]*(\.|$)/i
/** File systems take 255 bytes; the rest is left for ` (1)` and for the marks of a file that is being written. */
const BYTES_MAX = 200
/** Longer endings than this are no extension that had to be kept. */
const EXTENSION_MAX = 20
const NAMELESS = 'file'

/** A name without a path that every system takes: never empty, `.` or `..`, no device, at most 200 bytes of UTF-8. */
export function safeFileName(name: string): string {
  const visible = name.replace(UNSEEN, '').replace(FORBIDDEN, '_')
  const bounded = withoutDotsAtEnd(shortened(withoutDotsAtEnd(visible).trimStart()))
  if (bounded === '') return NAMELESS
  return DEVICE.test(bounded) ? `_${bounded}` : bounded
}

/** Windows drops dots and spaces at the end, and so would give two names to one file. */
const withoutDotsAtEnd = (name: string) => name.replace(/[. ]+$/, '')

/** Cut in front of its extension, between characters. */
function shortened(name: string): string {
  if (bytesOf(name) <= BYTES_MAX) return name
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 && bytesOf(name.slice(dot)) <= EXTENSION_MAX ? name.slice(dot) : ''
  let stem = ''
  for (const character of name.slice(0, name.length - extension.length)) {
    if (bytesOf(stem + character + extension) > BYTES_MAX) break
    stem += character
  }
  return stem + extension
}

const bytesOf = (text: string) => new TextEncoder().encode(text).length
