/** Which secret is meant: a link from the command line, from stdin or typed, and the key that may come apart from it. */
import { readFile } from 'node:fs/promises'
import { isRawId, isSecretId, parseFragment, parseLink } from '#shared/link'
import { CliError } from '../lib/cli-error.js'
import { type Io, resolvePath } from '../output/io.js'

/** Longer than any link. */
const LINK_MAX = 8192

export interface SecretLink {
  /** Address of the server; null when only an id was given. */
  server: string | null
  id: string
  /** The 32 bytes behind the link; null for raw and public secrets, and while the key is not known. */
  linkKey: Uint8Array | null
}

/**
 * Reads LINK, `-` or, on a terminal, what is typed. `keyFile` holds the key of a link without one.
 * Throws LinkError for what was cut or mangled, CliError `usage` for what is missing.
 */
export async function resolveLink(word: string | undefined, keyFile: string | undefined, io: Io): Promise<SecretLink> {
  const text = await readLink(word, io)
  if (isSecretId(text)) return { server: null, id: text, linkKey: keyFile ? await readKeyFile(keyFile, io) : null }
  const { base, id, fragment } = parseLink(text)
  if (fragment !== null && keyFile) throw new CliError('usage', 'the link has a key already', 'leave out --key-file')
  if (isRawId(id)) return { server: base, id, linkKey: null }
  if (fragment !== null) return { server: base, id, linkKey: parseFragment(fragment) }
  return { server: base, id, linkKey: keyFile ? await readKeyFile(keyFile, io) : null }
}

/** Asks for the key of a link that has none. Throws LinkError, or CliError `usage` when nobody can be asked. */
export async function promptForKey(io: Io): Promise<Uint8Array> {
  return parseFragment(await io.promptHidden('key', 'use --key-file if the key was sent apart'))
}

async function readLink(word: string | undefined, io: Io): Promise<string> {
  if (word !== undefined && word !== '-') return word.trim()
  if (io.canPrompt) return (await io.promptHidden('link', 'use - to read it from stdin')).trim()
  if (word === undefined)
    throw new CliError('usage', 'which secret?', 'give its link, or - to read the link from stdin')
  const text = (await io.readStdin('the link', LINK_MAX))?.toString().trim()
  if (!text) throw new CliError('usage', 'there is no link on stdin')
  return text
}

async function readKeyFile(file: string, io: Io): Promise<Uint8Array> {
  try {
    return parseFragment(await readFile(resolvePath(io, file), 'utf8'))
  } catch (error) {
    if ((error as Error).name === 'LinkError') throw error
    throw new CliError('usage', `--key-file cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
}
