/** `mayfly env`: prints the commands of a shell that set variables to secrets. */
import { openSecretOutput, type SecretOutputFlags } from '../../files/secret-output.js'
import type { Io } from '../../output/io.js'
import { toSafeJson } from '../../output/sanitize.js'
import { formatPowershellText, quoteFish, quotePosix } from '../../output/shell-quote.js'
import { acknowledgeSecrets, explainDelivery, findSecrets, openSecrets } from '../../secrets/open-links.js'
import { type PasswordFlags, readPassword } from '../../secrets/secret-password.js'
import type { GlobalFlags } from '../command.js'
import { readVariables, type VariableFlags } from './link-variables.js'
import { listUses, toVariable } from './variable-value.js'

export interface EnvFlags extends PasswordFlags, VariableFlags, SecretOutputFlags {
  shell: keyof typeof FORMATS
}

const FILE_HINT = 'save it with `mayfly secret read --output FILE`, or use `mayfly run --as-file`'

/** Formats the command that sets a variable. */
type Format = (name: string, value: string) => string

const formatPosix: Format = (name, value) => `export ${name}=${quotePosix(value)}\n`

const FORMATS = {
  sh: formatPosix,
  bash: formatPosix,
  zsh: formatPosix,
  fish: (name, value) => `set -gx ${name} ${quoteFish(value)}\n`,
  powershell: (name, value) => `$env:${name} = ${formatPowershellText(value)}\n`,
} satisfies Record<string, Format>

/** Throws LinkError, CliError or ApiError. */
export async function printVariables(flags: EnvFlags & GlobalFlags, io: Io): Promise<void> {
  const variables = await readVariables(flags, io)
  const values = new Map<string, string>()
  for (const { name, value, isLink } of variables) {
    if (!isLink) values.set(name, toVariable(name, Buffer.from(value), FILE_HINT))
  }
  const output = await openSecretOutput(flags, io)
  const password = await readPassword(flags, io)
  const found = await findSecrets(listUses(variables), password, flags, io)
  const received = await openSecrets(
    found,
    password,
    ({ uses, opened }) => {
      for (const { name } of uses) values.set(name, toVariable(name, opened.text, FILE_HINT))
    },
    io,
  )
  const ordered = variables.map(({ name }) => [name, values.get(name) ?? ''] as const)
  try {
    // Bytes: a text would lose control characters.
    await output.write(Buffer.from(flags.json ? formatJson(ordered) : formatCommands(ordered, flags.shell)))
    await output.close()
  } catch (error) {
    throw explainDelivery(error, received)
  }
  await acknowledgeSecrets(received, io)
}

const formatCommands = (variables: (readonly [string, string])[], shell: EnvFlags['shell']): string =>
  variables.map(([name, value]) => FORMATS[shell](name, value)).join('')

const formatJson = (variables: (readonly [string, string])[]): string =>
  toSafeJson({ variables: Object.fromEntries(variables) })
