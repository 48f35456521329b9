/** Keys that authenticate backups: a key file, or the instance key. Decision 081. */
import type { Storage } from '#core'
import { type BackupKey, createBackupKey } from '#core/backup'
import { INSTANCE_KEY, loadInstanceKey, parseInstanceKey } from '#core/runtime'
import { readNamedFile } from '../../files/named-file.js'
import type { InstanceConfig } from '../../instance/instance-config.js'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'

export interface KeyFlags {
  keyFile?: string
}

const KEY = /^([0-9a-f]{64}|[\w-]{43}=?)$/i

/** Returns the key for a new backup. Creates the instance key if there is none. Throws CliError `usage`. */
export async function resolveBackupKey(
  flags: KeyFlags,
  { settings }: InstanceConfig,
  storage: Storage,
  io: Io,
): Promise<BackupKey> {
  const [known] = await listKnownKeys(flags, settings.instanceKey, io)
  return known ?? createBackupKey('instance', await loadInstanceKey(storage))
}

/** Returns the keys that need no database: of the key file, and of the configuration. Throws CliError `usage`. */
export async function listKnownKeys({ keyFile }: KeyFlags, instanceKey: string, io: Io): Promise<BackupKey[]> {
  const ofFile = keyFile === undefined ? [] : [createBackupKey('file', await readKeyFile(keyFile, io))]
  return [...ofFile, ...(instanceKey === '' ? [] : [createBackupKey('instance', parseInstanceKey(instanceKey))])]
}

/** Returns the key of an existing instance whose key is in its database. */
export async function readStoredKeys({ instanceState }: Storage): Promise<BackupKey[]> {
  const stored = await instanceState.get(INSTANCE_KEY)
  return stored === null ? [] : [createBackupKey('instance', parseInstanceKey(stored))]
}

async function readKeyFile(path: string, io: Io): Promise<Buffer> {
  const text = (await readNamedFile('--key-file', path, io, CREATE_HINT)).toString().trim()
  if (!KEY.test(text)) throw new CliError('usage', '--key-file does not contain 32 random bytes', CREATE_HINT)
  return parseInstanceKey(text)
}

const CREATE_HINT =
  'create it once with `(umask 077; openssl rand -hex 32 > backup.key)` and keep it apart from the backups'
