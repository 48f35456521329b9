import { readFile } from 'node:fs/promises'
import { CliError } from '../lib/cli-error.js'
import { type Io, resolvePath } from '../output/io.js'

const BURN_TOKEN = /^[A-Za-z0-9_-]{43}$/

/** Reads the file of --burn-token-file. Throws CliError `usage`. */
export async function readBurnToken(file: string, io: Io): Promise<string> {
  const text = await readFile(resolvePath(io, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CliError('usage', `cannot read --burn-token-file: ${error.code}`)
  })
  if (!BURN_TOKEN.test(text.trim())) throw new CliError('usage', '--burn-token-file contains no burn token')
  return text.trim()
}
