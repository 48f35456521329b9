/** Opening a secret: look, view, unseal, and tell the server that it arrived. */
import type { SecretExists, ViewedSecret } from '#shared/api'
import { type AttachedFile, attachedFiles } from '#shared/client/attached-files'
import { ApiError, type Client } from '#shared/client/client'
import { decryptViewed, type TamperWarning } from '#shared/crypto/encrypt-secret'
import { encodeText } from '#shared/crypto/envelope'
import { accessProof, deriveKeys } from '#shared/crypto/keys'
import { CliError } from '../lib/cli-error.js'
import type { Io } from '../output/io.js'
import { counted } from '../output/sanitize.js'
import { type Address, askForKey } from './resolve-link.js'
import { askForPassword } from './secret-password.js'

/** What a view needs; the claim is chosen once, so that a lost answer can be asked for again. */
export interface Reach {
  client: Client
  id: string
  linkKey: Uint8Array | null
  claim: string
}

export interface Opened {
  id: string
  kind: ViewedSecret['kind']
  text: Uint8Array
  title: string
  files: AttachedFile[]
  /** null: not limited. */
  viewsLeft: number | null
  /** Epoch ms. */
  expiresAt: number
  mismatches: TamperWarning[]
}

const WARNINGS: Record<TamperWarning, string> = {
  expiry: 'the server keeps this secret longer than its sender asked',
  views: 'the server lets this secret be opened more often than its sender asked',
  files: 'the server tells of other files than the sender attached',
}

/** Looks whether the secret is there; asks for the key when it is a sealed one of which only the address is known. */
export async function look(client: Client, { id, linkKey }: Address, io: Io) {
  try {
    return { linkKey, found: await client.exist(id, linkKey ? accessProof(linkKey) : undefined) }
  } catch (error) {
    const isKeyless =
      linkKey === null && !id.includes('~') && error instanceof ApiError && error.code === 'secret.not_found'
    if (!isKeyless) throw error
    if (!io.canAskHidden()) throw new CliError('gone', 'not available, or its key was sent apart', 'use --key-file')
    const key = await askForKey(io)
    return { linkKey: key, found: await client.exist(id, accessProof(key)) }
  }
}

/** Spends a view. Throws CliError, DecryptError, or whatever the server answers. */
export async function open(reach: Reach, found: SecretExists, given: string | undefined, io: Io): Promise<Opened> {
  const { limits } = await reach.client.settings()
  const { viewed, passphrase } = await view(reach, found, given, io)
  const opened = await unseal(viewed, passphrase, limits.maxTextBytes)
  for (const mismatch of opened.mismatches) io.warn(`${WARNINGS[mismatch]}: tell them`)
  return opened
}

/** Spends a view. A wrong password spends none, and is asked for again when it was typed. */
async function view(reach: Reach, { passwordRequired }: SecretExists, given: string | undefined, io: Io) {
  const { client, id, linkKey, claim } = reach
  if (given !== undefined && !passwordRequired) io.note('this secret has no password')
  for (;;) {
    const password = passwordRequired ? (given ?? (await askForPassword(io))) : undefined
    const keys = linkKey ? await deriveKeys(linkKey, password) : null
    const proof = keys ? keys.passwordProof : password
    const request = { claim, ...(keys ? { access: keys.access } : {}), ...(proof ? { password: proof } : {}) }
    try {
      return { viewed: await client.view(id, request), passphrase: keys?.passphrase }
    } catch (error) {
      if (given !== undefined || !(error instanceof ApiError) || error.code !== 'secret.password_wrong') throw error
      io.warn(`wrong password; ${counted(error.body.attemptsLeft ?? 0, 'more attempt')}`)
    }
  }
}

/** Raw and public texts arrive readable; whoever holds a key takes nothing but a sealed one. */
async function unseal(viewed: ViewedSecret, passphrase: string | undefined, maxTextBytes: number): Promise<Opened> {
  const { id, kind, maxViews, expiresAt } = viewed
  const facts = { id, kind, viewsLeft: maxViews, expiresAt }
  if (passphrase === undefined) {
    const files = attachedFiles(viewed, null)
    return { ...facts, text: encodeText(viewed.text), title: viewed.title ?? '', files, mismatches: [] }
  }
  const { header, text, warnings } = await decryptViewed(viewed, passphrase, maxTextBytes)
  return { ...facts, text, title: header.title, files: attachedFiles(viewed, header), mismatches: warnings }
}

/** Best effort: without it the server destroys what is used up a minute later. */
export async function acknowledge({ client, id, linkKey, claim }: Reach): Promise<void> {
  await client.ack(id, { claim, ...(linkKey ? { access: accessProof(linkKey) } : {}) }).catch(() => {})
}
