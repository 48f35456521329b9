/** Opening a secret: look, view, unseal, and tell the server that it arrived. */
import type { SecretExists, ViewedSecret } from '#shared/api'
import { type AttachedFile, attachedFiles } from '#shared/client/attached-files'
import { ApiError, type Client } from '#shared/client/client'
import { type Mismatch, openViewed } from '#shared/crypto/encrypt-secret'
import { encodeText } from '#shared/crypto/envelope'
import { accessProof, deriveKeys } from '#shared/crypto/keys'
import { CliError } from '../lib/cli-error.js'
import type { Io } from '../output/io.js'
import { formatCount } from '../output/sanitize.js'
import { promptForKey, type SecretLink } from './resolve-link.js'
import { promptForPassword } from './secret-password.js'

/** What a view needs; the claim is chosen once, so that a lost answer can be asked for again. */
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
  /** null: not limited. */
  viewsLeft: number | null
  /** Epoch ms. */
  expiresAt: number
  mismatches: Mismatch[]
}

const WARNINGS: Record<Mismatch, string> = {
  expiry: 'the server keeps this secret longer than its sender asked',
  views: 'the server lets this secret be opened more often than its sender asked',
  files: 'the server tells of other files than the sender attached',
}

/** Looks whether the secret is there; asks for the key when it is a sealed one of which only the address is known. */
export async function peekSecret(client: Client, { id, linkKey }: SecretLink, io: Io) {
  try {
    return { linkKey, found: await client.exist(id, linkKey ? accessProof(linkKey) : undefined) }
  } catch (error) {
    const isKeyless =
      linkKey === null && !id.includes('~') && error instanceof ApiError && error.code === 'secret.not_found'
    if (!isKeyless) throw error
    if (!io.canPromptHidden()) throw new CliError('gone', 'not available, or its key was sent apart', 'use --key-file')
    const key = await promptForKey(io)
    return { linkKey: key, found: await client.exist(id, accessProof(key)) }
  }
}

/** Spends a view. Throws CliError, SealError, or whatever the server answers. */
export async function openSecret(
  reach: SecretAccess,
  found: SecretExists,
  given: string | undefined,
  io: Io,
): Promise<OpenedSecret> {
  const { limits } = await reach.client.settings()
  const { viewed, passphrase } = await viewSecret(reach, found, given, io)
  const opened = await decryptView(viewed, passphrase, limits.maxTextBytes)
  for (const mismatch of opened.mismatches) io.warn(`${WARNINGS[mismatch]}: tell them`)
  return opened
}

/** Spends a view. A wrong password spends none, and is asked for again when it was typed. */
async function viewSecret(reach: SecretAccess, { passwordRequired }: SecretExists, given: string | undefined, io: Io) {
  const { client, id, linkKey, claim } = reach
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
      io.warn(`wrong password; ${formatCount(error.body.attemptsLeft ?? 0, 'more attempt')}`)
    }
  }
}

/** Raw and public texts arrive readable; whoever holds a key takes nothing but a sealed one. */
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
  const { header, text, mismatches } = await openViewed(viewed, passphrase, maxTextBytes)
  return { ...facts, text, title: header.title, files: attachedFiles(viewed, header), mismatches }
}

/** Best effort: without it the server destroys what is used up a minute later. */
export async function acknowledgeView({ client, id, linkKey, claim }: SecretAccess): Promise<void> {
  await client.ack(id, { claim, ...(linkKey ? { access: accessProof(linkKey) } : {}) }).catch(() => {})
}
