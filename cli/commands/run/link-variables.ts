/** Reads the variables of `mayfly run` and their links. */
import { readFile } from 'node:fs/promises'
import { CliError } from '../../lib/cli-error.js'
import { type Io, resolvePath } from '../../output/io.js'

export interface VariableFlags {
  env?: string[]
  links?: string
  asFile?: string[]
  allowVariable?: string[]
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/
const FILE_MAX = 1024 * 1024

/** Returns links by variable name, from --env and --links. Throws CliError `usage`, without the link. */
export async function readVariables(
  { env = [], links, asFile = [], allowVariable = [] }: VariableFlags,
  io: Io,
): Promise<Map<string, string>> {
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
    // The user chose the names of --env; names in a file may come from someone else.
    if (where === '--links' && changesPrograms(name) && !allowVariable.includes(name)) {
      const hint = `if you trust the file: --allow-variable ${name}; nothing was opened`
      throw new CliError('usage', `--links sets ${name}, which changes how programs run`, hint)
    }
    if (variables.has(name)) throw new CliError('usage', `duplicate variable: ${name}`)
    variables.set(name, link)
  }
  if (variables.size === 0)
    throw new CliError('usage', 'missing option: --env or --links', 'use --env NAME=LINK, or --links FILE')
  const missing = asFile.find((name) => !variables.has(name))
  if (missing === undefined) return variables
  throw new CliError('usage', `--as-file names no variable of --env or --links: ${missing}`, 'nothing was opened')
}

/**
 * Variables that let shells, interpreters, linkers and tools run or load other code. Compared in capital letters, as
 * Windows does.
 */
const CODE_VARIABLES = [
  'PATH',
  'PATHEXT',
  'COMSPEC',
  'SHELL',
  'IFS',
  'ENV',
  'BASH_ENV',
  'BASHOPTS',
  'SHELLOPTS',
  'PS4',
  'PROMPT_COMMAND',
  'ZDOTDIR',
  'FPATH',
  'CDPATH',
  'HOME',
  'EDITOR',
  'VISUAL',
  'PAGER',
  'BROWSER',
  'LESSOPEN',
  'LESSCLOSE',
  'GCONV_PATH',
  'GLIBC_TUNABLES',
  'LOCPATH',
  'NLSPATH',
  'TMPDIR',
  'TERMINFO',
  'OPENSSL_CONF',
  'OPENSSL_MODULES',
  'PERLLIB',
  'PERL5LIB',
  'PERL5OPT',
  'PERL5DB',
  'RUBYLIB',
  'RUBYOPT',
  'CLASSPATH',
  'R_PROFILE',
  'R_ENVIRON',
  'JAVA_TOOL_OPTIONS',
  '_JAVA_OPTIONS',
  'JDK_JAVA_OPTIONS',
  'MAVEN_OPTS',
  'GRADLE_OPTS',
  'GOFLAGS',
  'RUSTC_WRAPPER',
  'DOTNET_STARTUP_HOOKS',
  'CORECLR_PROFILER',
  'COR_PROFILER',
  'PSMODULEPATH',
  'PHPRC',
  'PHP_INI_SCAN_DIR',
  'MAKEFLAGS',
]
const CODE_PREFIXES = ['LD_', 'DYLD_', 'NODE_', 'PYTHON', 'GIT_', 'BASH_FUNC_', 'LUA_', 'NPM_CONFIG_', 'SSH_ASKPASS']

function changesPrograms(name: string): boolean {
  const upper = name.toUpperCase()
  return CODE_VARIABLES.includes(upper) || CODE_PREFIXES.some((prefix) => upper.startsWith(prefix))
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
