/** `mayfly config get` and `set`, and `config list --client`: the settings of the command line. */
import {
  CLIENT_KEYS,
  type ClientConfigFlags,
  type ClientKey,
  getProfileName,
  parseClientValue,
  readClientConfig,
  writeClientConfig,
} from '../../client/client-config.js'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'
import { formatList, type ListFlags } from '../../output/table.js'

interface Flags extends ClientConfigFlags, ListFlags {}

export function listClientConfig(flags: Flags, io: Io): Promise<void> {
  const settings = readClientConfig(flags, io)
  if (flags.json) return io.writeJson(settings)
  const rows = CLIENT_KEYS.flatMap((key) => (settings[key] === undefined ? [] : [{ key, value: settings[key] }]))
  return io.write(formatList(rows, ['key', 'value'], flags, io))
}

/** Throws CliError `gone` for a setting without a value. */
export function getClientSetting(key: string, flags: Flags, io: Io): Promise<void> {
  const name = parseKey(key)
  const value = readClientConfig(flags, io)[name]
  if (value === undefined) throw new CliError('gone', `${name} is not set`, `use: mayfly config set ${name}=VALUE`)
  return io.writeResult(flags, { [name]: value }, `${value}\n`)
}

/** An empty value removes the setting. */
export async function setClientSettings(pairs: string[], flags: Flags, io: Io): Promise<void> {
  const changes = Object.fromEntries(pairs.map(parseChange))
  await writeClientConfig(changes, flags, io)
  const profile = getProfileName(flags, io)
  for (const [key, value] of Object.entries(changes)) {
    io.note(`${profile === null ? '' : `${profile}: `}${key}: ${value ?? '(not set)'}`)
  }
  if (flags.json) await io.writeJson(readClientConfig(flags, io))
}

function parseChange(pair: string): [ClientKey, string | null] {
  const at = pair.indexOf('=')
  if (at < 1) throw new CliError('usage', 'a setting must have the form key=value', 'for example ttl=2h')
  const key = parseKey(pair.slice(0, at))
  const value = pair.slice(at + 1)
  return [key, value === '' ? null : parseClientValue(key, value)]
}

function parseKey(key: string): ClientKey {
  const name = CLIENT_KEYS.find((each) => each === key)
  if (name) return name
  throw new CliError('usage', 'unknown setting of the command line', `one of: ${CLIENT_KEYS.join(', ')}`)
}
