/** Resolves the link argument: from the command line, stdin or a prompt, and the key from --key-file. */
import { isRawId, isSecretId, KEYLESS, parseFragment } from '#shared/link'
import { parseLink } from '#shared/parse-links'
import { LINK_TEXT_MAX } from '#shared/unwrap-text'
import { readNamedFile } from '../files/named-file.js'
import { CliError } from '../lib/cli-error.js'
import type { Io } from '../output/io.js'

export interface SecretLink {
  /** Server URL; null for a bare id. */
  server: string | null
  id: string
  /** The 32 bytes in the link; null for raw and public secrets, and while the key is unknown. */
  linkKey: Uint8Array | null
  /** Only a sealed secret is accepted, because the link says that it has a key. */
  isSealed: boolean
}

/**
 * Reads the link from the argument, from stdin for `-`, or from a prompt. `keyFile` has the key of a link without one.
 * Throws LinkError for an incomplete or damaged link, CliError `usage` for a missing one.
 */
export async function resolveLink(word: string | undefined, keyFile: string | undefined, io: Io): Promise<SecretLink> {
  const text = await readLink(word, io)
  if (isSecretId(text)) return { server: null, id: text, ...(await readKeyOf(keyFile, io)) }
  const { base, id, fragment } = parsePasted(text, parseLink, io)
  const hasKey = fragment !== null && fragment !== KEYLESS
  if (hasKey && keyFile) throw new CliError('usage', 'the link contains a key already', 'leave out --key-file')
  const place = { server: base, id }
  if (isRawId(id)) return { ...place, linkKey: null, isSealed: false }
  if (hasKey) return { ...place, linkKey: parseFragment(fragment), isSealed: true }
  const { linkKey } = await readKeyOf(keyFile, io)
  return { ...place, linkKey, isSealed: linkKey !== null || fragment === KEYLESS }
}

/** Parses a link; a note says that it was found in other text. `parse`: for links of this kind. Throws LinkError. */
export function parsePasted<Link extends { isExact: boolean }>(
  text: string,
  parse: (text: string) => Link,
  io: Pick<Io, 'note'>,
): Link {
  const link = parse(text)
  if (!link.isExact) io.note('found the link in the text')
  return link
}

/** Asks for the key of a link without one. Throws LinkError, or CliError `usage` without a terminal. */
export async function promptForKey(io: Io): Promise<Uint8Array> {
  return parseFragment(await io.promptHidden('key', 'use --key-file'))
}

/** Reads a link of any kind from the argument, from stdin for `-`, or from a prompt. Throws CliError `usage`. */
export async function readLink(word: string | undefined, io: Io): Promise<string> {
  if (word !== undefined && word !== '-') return word.trim()
  if (io.canPrompt) return (await io.promptHidden('link', 'use - to read it from stdin')).trim()
  if (word === undefined)
    throw new CliError('usage', 'missing argument: link', 'pass the link, or - to read it from stdin')
  const text = (await io.readStdin('the link', LINK_TEXT_MAX))?.toString().trim()
  if (!text) throw new CliError('usage', 'no link on stdin')
  return text
}

async function readKeyOf(keyFile: string | undefined, io: Io): Promise<Pick<SecretLink, 'linkKey' | 'isSealed'>> {
  const linkKey = keyFile ? parseFragment((await readNamedFile('--key-file', keyFile, io)).toString()) : null
  return { linkKey, isSealed: linkKey !== null }
}
