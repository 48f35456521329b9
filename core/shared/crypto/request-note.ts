/** Title and instructions of a secret request, encrypted with a key of the request link. */
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { REQUEST_NOTE_MAX, TITLE_MAX } from '../limits.js'
import { armorText, DecryptError, decrypt, encrypt, unarmorText } from './age.js'
import { decodeText } from './envelope.js'

const VERSION = 1

export interface RequestNote {
  /** May be empty. */
  title: string
  /** Plain text; may be empty. */
  instructions: string
}

/** Encrypts a note. Throws RangeError if it is longer than a request allows. */
export async function encryptNote({ title, instructions }: RequestNote, passphrase: string): Promise<string> {
  if (title.length > TITLE_MAX) throw new RangeError(`the title must have at most ${TITLE_MAX} characters`)
  const text = JSON.stringify({ v: VERSION, title, instructions })
  const note = armorText(await encrypt(utf8ToBytes(text), passphrase))
  if (note.length > REQUEST_NOTE_MAX) {
    throw new RangeError(`title and instructions must have at most ${REQUEST_NOTE_MAX} bytes when encrypted`)
  }
  return note
}

/** Decrypts a note. Removes control and bidi characters. Throws DecryptError. */
export async function decryptNote(note: string, passphrase: string): Promise<RequestNote> {
  const line = await decrypt(unarmorText(note, REQUEST_NOTE_MAX), passphrase)
  try {
    const { v, title, instructions } = JSON.parse(decodeText(line) ?? '')
    if (v !== VERSION || typeof title !== 'string' || typeof instructions !== 'string') throw new Error('wrong fields')
    return { title: plain(title).replaceAll('\n', ' ').slice(0, TITLE_MAX), instructions: plain(instructions) }
  } catch (cause) {
    throw new DecryptError('hostile', 'this version cannot read the title of this request', { cause })
  }
}

/** Removes control characters except line breaks and tabs, and characters that change the direction of the text. */
const plain = (text: string): string =>
  text.replace(/(?![\n\t])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
