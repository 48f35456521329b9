/** Opens a secret: peek, view, decrypt, acknowledge. */
import type { SecretExists, ViewedSecret } from '#shared/api'
import { ApiError, type Client } from '#shared/client/client'
import {
  type AttachedFile,
  readPlainView,
  readSealedView,
  acknowledge as sendAcknowledgement,
  type View,
  type ViewedContent,
  viewSecret,
} from '#shared/client/viewed-content'
import type { TamperWarning } from '#shared/crypto/encrypt-secret'
import { accessProof } from '#shared/crypto/keys'
import type { EpochMs } from '#shared/epoch-ms'
import { isPossibleKind, isRawId, KEYLESS } from '#shared/link'
import { explainUnknownOutcome } from '../client/unknown-outcome.js'
import { CliError } from '../lib/cli-error.js'
import type { Io } from '../output/io.js'
import { formatCount } from '../output/sanitize.js'
import type { ReadClaim, UnfinishedRead } from './read-claims.js'
import { promptForKey, type SecretLink } from './resolve-link.js'
import { promptForPassword } from './secret-password.js'

/** Parameters of a view. */
export interface SecretAccess {
  client: Client
  id: string
  linkKey: Uint8Array | null
  claim: ReadClaim
  /** Of a named recipient. */
  code?: string | undefined
}

export interface OpenedSecret {
  id: string
  kind: ViewedSecret['kind']
  text: Uint8Array
  title: string
  files: AttachedFile[]
  /** Null: unlimited. */
  viewsLeft: number | null
  expiresAt: EpochMs
  mismatches: TamperWarning[]
}

const WARNINGS: Record<TamperWarning, string> = {
  expiry: 'the server keeps this secret longer than the sender set',
  views: 'the server allows more views than the sender set',
  files: 'the server lists different files than the sender attached',
}

interface PeekOptions {
  /** Hint when the key is missing and there is no terminal. */
  keyHint?: string
  /** An earlier attempt. Its facts describe a secret that has no views left for others. */
  unfinished?: UnfinishedRead | null
}

/**
 * Checks that the secret exists and that the link can open one of its kind. Asks for the key when the link of a sealed
 * secret has none. Throws CliError `check_failed` for another kind, before a password is asked for.
 */
export async function peekSecret(client: Client, link: SecretLink, io: Io, options: PeekOptions = {}) {
  const { linkKey, found } = await findSecret(client, link, io, options)
  assertPossibleKind(found.kind, link, linkKey)
  if (found.kind === 'public') io.note('public, not encrypted')
  return { linkKey, found }
}

async function findSecret(
  client: Client,
  { id, linkKey, isSealed }: SecretLink,
  io: Io,
  { keyHint = 'use --key-file', unfinished = null }: PeekOptions,
): Promise<{ linkKey: Uint8Array | null; found: SecretExists }> {
  const peek = async (proof?: string) => {
    try {
      return await client.peek(id, proof)
    } catch (error) {
      const isForKey = proof === undefined && unfinished?.facts.kind === 'sealed'
      if (!unfinished || isForKey || !(error instanceof ApiError) || error.code !== 'secret.not_found') throw error
      io.note('repeating an unfinished read')
      return { id, ...unfinished.facts }
    }
  }
  const findWithKey = async (key: Uint8Array) => ({ linkKey: key, found: await peek(accessProof(key)) })
  if (linkKey) return findWithKey(linkKey)
  if (isSealed) {
    if (!io.canPromptHidden()) throw new CliError('usage', 'the key of this link was sent separately', keyHint)
    return findWithKey(await promptForKey(io))
  }
  try {
    return { linkKey, found: await peek() }
  } catch (error) {
    if (isRawId(id) || !(error instanceof ApiError) || error.code !== 'secret.not_found') throw error
    if (!io.canPromptHidden()) throw new CliError('gone', 'not found, or its key was sent separately', keyHint)
    return findWithKey(await promptForKey(io))
  }
}

function assertPossibleKind(
  kind: ViewedSecret['kind'],
  { id, isSealed }: Pick<SecretLink, 'id' | 'isSealed'>,
  linkKey: Uint8Array | null,
): void {
  if (isPossibleKind(kind, id, linkKey || isSealed ? KEYLESS : null)) return
  const message = `the server reports a ${kind} secret, which this link cannot open`
  throw new CliError('check_failed', message, 'nothing was sent or opened; tell the sender')
}

/** Uses a view and decrypts the secret. Throws CliError, DecryptError or ApiError. */
export async function openSecret(
  access: SecretAccess,
  found: SecretExists,
  given: string | undefined,
  io: Io,
): Promise<OpenedSecret> {
  const { limits } = await access.client.settings()
  await access.claim.keep(limits.readGraceSeconds)
  const view = await askAndView(access, found, given, io)
  const opened = await decryptView(view, limits.maxTextBytes).catch((error) => {
    throw access.claim.explain(error)
  })
  warnOfTampering(opened.mismatches, io)
  return opened
}

/** Warns of each option that the server changed. */
export function warnOfTampering(mismatches: TamperWarning[], io: Io): void {
  for (const mismatch of mismatches) io.warn(`${WARNINGS[mismatch]}; tell the sender`)
}

/** Uses a view. A wrong password uses none; a typed one is asked for again. */
async function askAndView(
  { client, id, linkKey, claim, code }: SecretAccess,
  { passwordRequired }: SecretExists,
  given: string | undefined,
  io: Io,
): Promise<View> {
  if (given !== undefined && !passwordRequired) io.note('this secret has no password')
  for (;;) {
    const password = passwordRequired ? (given ?? (await promptForPassword(io))) : undefined
    try {
      const viewing = viewSecret(client, { id, linkKey, claim: claim.value, code }, password)
      return await explainUnknownOutcome(viewing, 'the secret was opened', claim.hint)
    } catch (error) {
      const isWrong = error instanceof ApiError && error.code === 'secret.password_wrong'
      if (isWrong && given !== undefined && claim.isRepeated) throw claim.explain(error)
      if (given !== undefined || !isWrong) throw error
      const { attemptsLeft } = error.body
      const left = attemptsLeft === undefined ? '' : `; ${formatCount(attemptsLeft, 'more attempt')}`
      io.warn(`wrong password${left}`)
    }
  }
}

/** With keys only a sealed secret is accepted. */
async function decryptView({ viewed, keys }: View, maxTextBytes: number): Promise<OpenedSecret> {
  if (keys) return describeOpened(viewed, await readSealedView(viewed, keys.passphrase, maxTextBytes))
  assertPossibleKind(viewed.kind, { id: viewed.id, isSealed: false }, null)
  return describeOpened(viewed, readPlainView(viewed))
}

/** Returns the content with the state of the secret. */
export const describeOpened = (
  { id, kind, maxViews, expiresAt }: ViewedSecret,
  { warnings, ...content }: ViewedContent,
): OpenedSecret => ({ id, kind, ...content, viewsLeft: maxViews, expiresAt, mismatches: warnings })

/**
 * Acknowledges the view, so that the server deletes a used-up secret, and prints the remaining views. Call it when the
 * content is at its place. Without the acknowledgement the server keeps the view for its claim until the grace period
 * ends.
 */
export async function acknowledgeView(access: SecretAccess, viewsLeft: number | null, io: Io): Promise<void> {
  await acknowledge(() => acknowledgeSecret(access), access.claim, viewsLeft, io)
}

/** Like `acknowledgeView`, with another acknowledgement. */
export async function acknowledge(
  ack: () => Promise<void>,
  claim: ReadClaim,
  viewsLeft: number | null,
  io: Io,
): Promise<void> {
  if (!(await confirm(ack, claim, io))) return
  const left = viewsLeft === null ? 'until it expires' : formatCount(viewsLeft, 'more time')
  io.note(viewsLeft === 0 ? 'opened; the secret is gone now' : `opened; it can be opened ${left}`)
}

/** Like `acknowledgeView`, without printing the remaining views. */
export async function confirmView(access: SecretAccess, io: Io): Promise<void> {
  await confirm(() => acknowledgeSecret(access), access.claim, io)
}

const acknowledgeSecret = ({ client, id, linkKey, claim }: SecretAccess): Promise<void> =>
  sendAcknowledgement(client, id, { claim: claim.value, ...(linkKey && { access: accessProof(linkKey) }) })

/** Returns false, after a warning, when the acknowledgement failed. */
async function confirm(ack: () => Promise<void>, claim: ReadClaim, io: Io): Promise<boolean> {
  try {
    await ack()
  } catch {
    io.warnOnce('everything arrived, except the acknowledgement: the server keeps the secret until this read expires')
    return false
  }
  await claim.release()
  return true
}
