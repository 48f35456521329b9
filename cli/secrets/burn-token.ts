import { readNamedFile } from '../files/named-file.js'
import { CliError } from '../lib/cli-error.js'
import type { Io } from '../output/io.js'

const BURN_TOKEN = /^[A-Za-z0-9_-]{43}$/

/** Reads the file of --burn-token-file. Throws CliError `usage`. */
export async function readBurnToken(file: string, io: Io): Promise<string> {
  const text = (await readNamedFile('--burn-token-file', file, io)).toString().trim()
  if (!BURN_TOKEN.test(text)) throw new CliError('usage', '--burn-token-file contains no burn token')
  return text
}
