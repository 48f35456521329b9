/** Reads the variables of `mayfly run` and their links. */
import { readFile } from 'node:fs/promises'
import { CliError } from '../../lib/cli-error.js'
import { type Io, resolvePath } from '../../output/io.js'

export interface VariableFlags {
  env?: string[]
  links?: string
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/
const FILE_MAX = 1024 * 1024

/** Returns links by variable name, from --env and --links. Throws CliError `usage`, without the link. */
export async function readVariables({ env = [], links }: VariableFlags, io: Io): Promise<Map<string, string>> {
  const lines = links === undefined ? [] : await readLines(links, io)
  const variables = new Map<string, string>()
  for (const [text, where] of [...env.map((each) => [each, '--env']), ...lines.map((each) => [each, '--links'])]) {
    const [, name = '', link = ''] = /^([^=]*)=(.*)$/s.exec(text as string) ?? []
    if (!NAME.test(name) || link === '') {
      throw new CliError(
        'usage',
        `${where} needs NAME=LINK`,
        'put -- before the command: mayfly run --env A=LINK -- make',
      )
    }
    if (variables.has(name)) throw new CliError('usage', `duplicate variable: ${name}`)
    variables.set(name, link)
  }
  if (variables.size === 0)
    throw new CliError('usage', 'missing option: --env or --links', 'use --env NAME=LINK, or --links FILE')
  return variables
}

/** Skips empty lines and comments (#). */
async function readLines(path: string, io: Io): Promise<string[]> {
  const text = (path === '-' ? await io.readStdin('the links', FILE_MAX) : await readLinksFile(path, io))?.toString()
  if (text === undefined) throw new CliError('usage', '--links is too large')
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}

async function readLinksFile(path: string, io: Io): Promise<Buffer> {
  try {
    return await readFile(resolvePath(io, path))
  } catch (error) {
    throw new CliError('usage', `cannot read --links: ${(error as NodeJS.ErrnoException).code}`)
  }
}
