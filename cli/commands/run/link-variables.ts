/** Reads the variables of `mayfly run` and `mayfly env`, and their links or plain values. */
import { readNamedInput } from '../../files/named-file.js'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'
import { naming } from '../../secrets/open-links.js'
import { isLink } from '../../secrets/plain-value.js'

export interface VariableFlags {
  env?: string[]
  links?: string
  allowPlain?: true
  allowVariable?: string[]
}

/** `value`: a link, or a plain value to pass on. */
export interface Variable {
  name: string
  value: string
  isLink: boolean
}

/** A line of the file or a value of the flag. */
interface Entry {
  text: string
  where: '--env' | '--links'
}

export const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/
const LINKS = { flag: '--links', what: 'the links', maxBytes: 1024 * 1024 }

/**
 * Returns the variables of --env and --links in this order. Throws CliError, without the value, for an invalid one.
 * Without --allow-plain every value is a link.
 */
export async function readVariables(flags: VariableFlags, io: Io): Promise<Variable[]> {
  const { env = [], links, allowPlain = false, allowVariable = [] } = flags
  const lines = links === undefined ? [] : await readLines(links, io)
  const entries: Entry[] = [
    ...env.map((text) => ({ text, where: '--env' as const })),
    ...lines.map((text) => ({ text, where: '--links' as const })),
  ]
  const variables = new Map<string, Variable>()
  for (const entry of entries) {
    const variable = await parseEntry(entry, allowPlain)
    const { name } = variable
    // The user chose the names of --env; names in a file may come from someone else.
    if (entry.where === '--links' && changesPrograms(name) && !allowVariable.includes(name)) {
      const hint = `if you trust the file: --allow-variable ${name}; nothing was opened`
      throw new CliError('usage', `--links sets ${name}, which changes how programs run`, hint)
    }
    if (variables.has(name)) throw new CliError('usage', `duplicate variable: ${name}`)
    variables.set(name, variable)
  }
  if (variables.size === 0)
    throw new CliError('usage', 'missing option: --env or --links', 'use --env NAME=LINK, or --links FILE')
  return [...variables.values()]
}

async function parseEntry({ text, where }: Entry, allowPlain: boolean): Promise<Variable> {
  const line = allowPlain && where === '--links' ? text.replace(/^export\s+/, '') : text
  const [, name = '', written = ''] = /^([^=]*)=(.*)$/s.exec(line) ?? []
  if (!VARIABLE_NAME.test(name) || (written === '' && !(allowPlain && line.includes('=')))) {
    throw new CliError(
      'usage',
      `${where} needs NAME=LINK`,
      'put -- before the command: mayfly run --env A=LINK -- make',
    )
  }
  if (!allowPlain) return { name, value: written, isLink: true }
  return await naming(name, () => {
    const value = where === '--links' ? unquote(written) : written
    return { name, value, isLink: isLink(value) }
  })
}

/**
 * Removes the quotation marks around a value of a file. Other programs read backslashes, comments and quotation marks
 * in it in different ways, so these are refused. Throws CliError `usage`.
 */
function unquote(written: string): string {
  const [mark = ''] = written
  if (mark !== '"' && mark !== "'") {
    if (!/\s#/.test(written)) return written
    throw new CliError('usage', 'it is not clear whether # begins a comment', 'put the value in quotation marks')
  }
  const value = written.slice(1, -1)
  if (written.length < 2 || !written.endsWith(mark) || value.includes(mark)) {
    const hint = 'put one pair of quotation marks around the value, on one line; nothing else is interpreted'
    throw new CliError('usage', 'the quotation marks of the value do not match', hint)
  }
  if (mark === '"' && value.includes('\\')) {
    const hint = 'put the value in single quotation marks: backslashes are not interpreted'
    throw new CliError('usage', 'there is a backslash in double quotation marks', hint)
  }
  return value
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

/** True for a variable with which other code could be run. */
export function changesPrograms(name: string): boolean {
  const upper = name.toUpperCase()
  return CODE_VARIABLES.includes(upper) || CODE_PREFIXES.some((prefix) => upper.startsWith(prefix))
}

/** Skips empty lines and comments (#). */
async function readLines(path: string, io: Io): Promise<string[]> {
  const text = (await readNamedInput(path, LINKS, io))?.toString()
  if (text === undefined) throw new CliError('usage', '--links is too large')
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}
