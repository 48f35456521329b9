/**
 * Labels of the user's secrets and requests, by id. They are only in the storage of this browser, until the user signs
 * out.
 */
import type { EpochMs } from '#shared/epoch-ms'
import { readJson, storeJson } from './stored-json.js'

const KEY = 'secret-labels'
export const LABEL_MAX = 200
/** The longest time that an instance lists a secret after its end. */
const KEPT_AFTER_EXPIRY_MS = 90 * 24 * 60 * 60_000

interface StoredLabel {
  label: string
  /** When the secret expires. Its label is removed 90 days later. */
  expiresAt: EpochMs
}

/** Returns no labels when storage is blocked. */
export function readLabels(): Map<string, string> {
  return new Map([...readStored()].map(([id, { label }]) => [id, label]))
}

/** Stores or, when it is empty, removes a label. False when storage is blocked or full. */
export function storeLabel(id: string, stored: StoredLabel, now: number): boolean {
  const labels = readStored()
  labels.delete(id)
  if (stored.label !== '') labels.set(id, stored)
  const live = [...labels].filter(([, { expiresAt }]) => expiresAt + KEPT_AFTER_EXPIRY_MS > now)
  return storeJson('localStorage', KEY, live.length === 0 ? null : Object.fromEntries(live))
}

export const clearLabels = (): boolean => storeJson('localStorage', KEY, null)

function readStored(): Map<string, StoredLabel> {
  const entries = Object.entries<StoredLabel>(Object(readJson('localStorage', KEY)))
  return new Map(entries.filter(([, each]) => typeof each?.label === 'string' && Number.isFinite(each.expiresAt)))
}
