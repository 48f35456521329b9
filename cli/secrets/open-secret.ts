/** Opens a secret: peek, view, decrypt, acknowledge. */
import type { SecretExists, ViewedSecret } from '#shared/api'
import { type AttachedFile, attachedFiles } from '#shared/client/attached-files'
import { ApiError, type Client } from '#shared/client/client'
import { decryptViewed, type TamperWarning } from '#shared/crypto/encrypt-secret'
import { encodeText } from '#shared/crypto/envelope'
import { accessProof, deriveKeys } from '#shared/crypto/keys'
import { CliError } from '../lib/cli-error.js'
import type { Io } from '../output/io.js'
import { formatCount } from '../output/sanitize.js'
import { promptForKey, type SecretLink } from './resolve-link.js'
import { promptForPassword } from './secret-password.js'

/** What a view needs. The claim is fixed, so that a view whose response was lost can be fetched again. */
export interface SecretAccess {
  client: Client
  id: string
  linkKey: Uint8Array | null
  claim: string
}

export interface OpenedSecret {
  id: string
  kind: ViewedSecret['kind']
  text: Uint8Array
  title: string
  files: AttachedFile[]
  /** Null: unlimited. */
  viewsLeft: number | null
  /** Epoch ms. */
  expiresAt: number
  mismatches: TamperWarning[]
}

const WARNINGS: Record<TamperWarning, string> = {
  expiry: 'the server keeps this secret longer than the sender set',
  views: 'the server allows more views than the sender set',
  files: 'the server lists different files than the sender attached',
}

/** Checks that the secret exists. Asks for the key when the link of a sealed secret has none; without a terminal, `keyHint` is the hint. */
export async function peekSecret(client: Client, { id, linkKey }: SecretLink, io: Io, keyHint = 'use --key-file') {
  try {
    return { linkKey, found: await client.peek(id, linkKey ? accessProof(linkKey) : undefined) }
  } catch (error) {
    const isKeyless =
      linkKey === null && !id.includes('~') && error instanceof ApiError && error.code === 'secret.not_found'
    if (!isKeyless) throw error
    if (!io.canPromptHidden()) throw new CliError('gone', 'not found, or its key was sent separately', keyHint)
    const key = await promptForKey(io)
    return { linkKey: key, found: await client.peek(id, accessProof(key)) }
  }
}

/** Uses a view and decrypts the secret. Throws CliError, DecryptError or ApiError. */
export async function openSecret(
  access: SecretAccess,
  found: SecretExists,
  given: string | undefined,
  io: Io,
): Promise<OpenedSecret> {
  const { limits } = await access.client.settings()
  const { viewed, passphrase } = await viewSecret(access, found, given, io)
  const opened = await decryptView(viewed, passphrase, limits.maxTextBytes)
  warnOfTampering(opened.mismatches, io)
  return opened
}

/** Warns of each option that the server changed. */
export function warnOfTampering(mismatches: TamperWarning[], io: Io): void {
  for (const mismatch of mismatches) io.warn(`${WARNINGS[mismatch]}; tell the sender`)
}

/** Uses a view. A wrong password uses none; a typed one is asked for again. */
async function viewSecret(access: SecretAccess, { passwordRequired }: SecretExists, given: string | undefined, io: Io) {
  const { client, id, linkKey, claim } = access
  if (given !== undefined && !passwordRequired) io.note('this secret has no password')
  for (;;) {
    const password = passwordRequired ? (given ?? (await promptForPassword(io))) : undefined
    const keys = linkKey ? await deriveKeys(linkKey, password) : null
    const proof = keys ? keys.passwordProof : password
    const request = { claim, ...(keys ? { access: keys.access } : {}), ...(proof ? { password: proof } : {}) }
    try {
      return { viewed: await client.view(id, request), passphrase: keys?.passphrase }
    } catch (error) {
      if (given !== undefined || !(error instanceof ApiError) || error.code !== 'secret.password_wrong') throw error
      const { attemptsLeft } = error.body
      const left = attemptsLeft === undefined ? '' : `; ${formatCount(attemptsLeft, 'more attempt')}`
      io.warn(`wrong password${left}`)
    }
  }
}

/** Raw and public texts arrive as plaintext. With a passphrase only a sealed secret is accepted. */
async function decryptView(
  viewed: ViewedSecret,
  passphrase: string | undefined,
  maxTextBytes: number,
): Promise<OpenedSecret> {
  const { id, kind, maxViews, expiresAt } = viewed
  const facts = { id, kind, viewsLeft: maxViews, expiresAt }
  if (passphrase === undefined) {
    const files = attachedFiles(viewed, null)
    return { ...facts, text: encodeText(viewed.text), title: viewed.title ?? '', files, mismatches: [] }
  }
  const { header, text, warnings } = await decryptViewed(viewed, passphrase, maxTextBytes)
  return { ...facts, text, title: header.title, files: attachedFiles(viewed, header), mismatches: warnings }
}

/** Best effort: without it the server destroys a used-up secret one minute later. */
export async function acknowledgeView({ client, id, linkKey, claim }: SecretAccess): Promise<void> {
  await client.ack(id, { claim, ...(linkKey ? { access: accessProof(linkKey) } : {}) }).catch(() => {})
}
