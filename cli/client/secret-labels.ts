/**
 * Labels that the local user gave secrets, by server and id. They are only in a file of the user, never on the server.
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { checkJson, type JsonSchemaOf } from '#shared/check-json'
import type { EpochMs } from '#shared/epoch-ms'
import { CliError } from '../lib/cli-error.js'
import type { Io } from '../output/io.js'
import { toServerKey } from './credentials.js'
import { getUserFilePath, prepareUserFile, writeUserFile } from './user-files.js'

/** Longest label, in characters. */
export const LABEL_MAX = 200
const FILE = 'labels.json'
/** The longest time that an instance lists a secret after its end. */
const KEPT_AFTER_EXPIRY_MS = 90 * 24 * 60 * 60_000

/** Per server and secret. */
type Labels = Record<string, Record<string, StoredLabel>>

interface StoredLabel {
  label: string
  /** When the secret expires. Its label is removed 90 days later. */
  expiresAt: EpochMs
}

const StoredLabel: JsonSchemaOf<StoredLabel> = {
  type: 'object',
  properties: { label: { type: 'string', contentMediaType: 'text/plain' }, expiresAt: { type: 'number' } },
}
const Labels: JsonSchemaOf<Labels> = {
  type: 'object',
  additionalProperties: { type: 'object', additionalProperties: StoredLabel },
}

/** Throws CliError `usage` unless the label is one line of up to `LABEL_MAX` characters without tabs. */
export function checkLabel(label: string): void {
  if (label !== '' && label.length <= LABEL_MAX && !/\p{Cc}/u.test(label)) return
  throw new CliError('usage', `--label must be one line of at most ${LABEL_MAX} characters without tabs`)
}

/** Returns the labels of a server by secret id. Throws CliError `usage` when the file cannot be read. */
export async function readLabels(server: string, io: Io): Promise<Map<string, string>> {
  const all = (await readFileOfLabels(io))[toServerKey(server)] ?? {}
  return new Map(Object.entries(all).map(([id, { label }]) => [id, label]))
}

interface LabeledSecret {
  id: string
  label: string
  expiresAt: EpochMs
}

/**
 * Stores labels, and removes labels of secrets that expired long ago. Throws CliError `usage` when the file cannot be
 * written.
 */
export async function storeLabels(server: string, secrets: LabeledSecret[], io: Io): Promise<void> {
  const path = await prepareUserFile(FILE, 'a label', io)
  const key = toServerKey(server)
  const labels = await readFileOfLabels(io)
  const added = secrets.map(({ id, label, expiresAt }) => [labelId(id), { label, expiresAt }] as const)
  labels[key] = { ...labels[key], ...Object.fromEntries(added) }
  await writeUserFile(path, removeExpired(labels, Date.now()))
}

/** The id as lists have it: the id of a raw secret lacks its key. */
const labelId = (id: string): string => id.split('~')[0] ?? id

function removeExpired(labels: Labels, now: number): Labels {
  const live = (entries: Labels[string]) =>
    Object.fromEntries(Object.entries(entries).filter(([, { expiresAt }]) => expiresAt + KEPT_AFTER_EXPIRY_MS > now))
  return Object.fromEntries(Object.entries(labels).map(([server, entries]) => [server, live(entries)]))
}

async function readFileOfLabels(io: Io): Promise<Labels> {
  const path = getUserFilePath(FILE, io)
  if (path === null || !existsSync(path)) return {}
  try {
    return checkJson(Labels, JSON.parse(await readFile(path, 'utf8')))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const what = code && /^E[A-Z]+$/.test(code) ? `cannot read ${path}: ${code}` : `${path} is not a valid label file`
    throw new CliError('usage', what, 'remove it, labels are then gone')
  }
}
