/**
 * Templates of `mayfly inject`: bytes with places `{{ mayfly:LINK }}`. Two braces, the name and a colon occur together
 * in no other template language, so everything else stays as it is, also other `{{ }}`.
 */
import { CliError } from '../../lib/cli-error.js'
import { type LinkUse, naming } from '../../secrets/open-links.js'
import { isLink } from '../../secrets/plain-value.js'

/** Where a link stands in a template. */
export interface Place extends LinkUse {
  /** From 1. */
  line: number
  /** Position of its first byte, and of the byte after it. */
  start: number
  end: number
}

/** Also matches probable mistakes, such as a place without a colon. */
const MARK = /\{\{[-~]?[ \t]*mayfly[ \t]*(?::|https?:)/gi
const PLACE = /\{\{[ \t]*mayfly:[ \t]*([^\s{}]{1,4096})[ \t]*\}\}/y

/** A few secrets at many places could fill the memory. */
const RESULT_MAX = 64 * 1024 * 1024
const NOTHING_OPENED = 'nothing was opened'

/** Returns the places in their order. Throws CliError with the line of an invalid one. */
export async function parseTemplate(template: Buffer): Promise<Place[]> {
  // A byte is a character, so that positions are the same, and invalid UTF-8 stays unchanged.
  const text = template.toString('latin1')
  const places: Place[] = []
  let line = 1
  let counted = 0
  for (const { index: start } of text.matchAll(MARK)) {
    for (; counted < start; counted++) if (template[counted] === LINE_FEED) line++
    const name = `line ${line}`
    PLACE.lastIndex = start
    const [all, link] = PLACE.exec(text) ?? []
    if (all === undefined || link === undefined) {
      throw new CliError('usage', `${name}: a place must be {{ mayfly:LINK }}, on one line`, NOTHING_OPENED)
    }
    await naming(name, () => checkLink(link))
    places.push({ name, link, line, start, end: start + all.length })
  }
  if (places.length > 0) return places
  throw new CliError('usage', 'the template has no place for a secret', 'write {{ mayfly:LINK }} where one belongs')
}

const LINE_FEED = 0x0a

function checkLink(link: string): void {
  if (!isLink(link)) throw new CliError('usage', 'this is not a link to a secret', NOTHING_OPENED)
}

/** Returns the template with a value at each place, in the order of the places. Throws CliError `limit`. */
export function fillTemplate(template: Buffer, places: Place[], values: Uint8Array[]): Buffer {
  const size = values.reduce((sum, { length }) => sum + length, template.length)
  if (size > RESULT_MAX) {
    const limit = `${RESULT_MAX / 1024 / 1024} MiB`
    throw new CliError('limit', `the result is larger than ${limit}`, 'use the secrets at fewer places')
  }
  const pieces: Uint8Array[] = []
  let done = 0
  for (const [index, { start, end }] of places.entries()) {
    pieces.push(template.subarray(done, start), values[index] ?? Buffer.alloc(0))
    done = end
  }
  return Buffer.concat([...pieces, template.subarray(done)])
}
