/** `mayfly secret read`: look first, ask, open, deliver, and only then tell the server that it arrived. */
import type { SecretExists, ViewedSecret } from '#shared/api'
import { attachedFiles } from '#shared/attached-files'
import { ApiError, type Client } from '#shared/client'
import { encodeText } from '#shared/envelope'
import { accessProof, deriveKeys, newClaim } from '#shared/keys'
import { type Mismatch, openViewed } from '#shared/sealing'
import type { GlobalFlags } from '../command.js'
import type { ReadFlags } from '../commands/secret-read.js'
import { CliError } from '../errors.js'
import { placeOf } from '../files/place.js'
import { progressMode } from '../files/progress.js'
import { checkFolder } from '../files/saved-file.js'
import type { Io } from '../io.js'
import { counted } from '../text.js'
import { type Address, addressOf, askForKey } from './address.js'
import { deliver, type Opened } from './deliver.js'
import { openOutput } from './output.js'
import { askForPassword, givenPassword } from './password.js'
import { describePeek, peekDocument } from './peek.js'
import { connect, serverAddress } from './server.js'

type Flags = ReadFlags & GlobalFlags

/** What a view needs; the claim is chosen once, so that a lost answer can be asked for again. */
interface Reach {
  client: Client
  id: string
  linkKey: Uint8Array | null
  claim: string
}

const WARNINGS: Record<Mismatch, string> = {
  expiry: 'the server keeps this secret longer than its sender asked',
  views: 'the server lets this secret be opened more often than its sender asked',
  files: 'the server tells of other files than the sender attached',
}

/** Throws LinkError, CliError, or whatever the server answers. */
export async function readSecret(word: string | undefined, flags: Flags, io: Io): Promise<void> {
  const address = await addressOf(word, flags.keyFile, io)
  const client = connect(address.server ?? (await serverAddress(flags)), flags, io)
  const { found, linkKey } = await look(client, address, io)
  if (flags.peek) return io.write(flags.json ? peekDocument(found) : describePeek(found, Date.now()))
  const mode = progressMode(flags.progress)
  const place = placeOf(found.files, flags, io.isTty.stdout)
  if (typeof place === 'object') await checkFolder(place.folder)
  const output = await openOutput(flags.output, flags.yes, io)
  const { limits } = await client.settings()
  const password = await givenPassword(flags, io)
  await askToOpen(found, flags, io)
  const reach: Reach = { client, id: found.id, linkKey, claim: newClaim() }
  const { viewed, passphrase } = await view(reach, found, password, io)
  const opened = await unseal(viewed, passphrase, limits.maxTextBytes)
  for (const mismatch of opened.mismatches) io.warn(`${WARNINGS[mismatch]}: tell them`)
  await deliver(opened, { flags, output, place, desk: { client, secretId: found.id, mode, io } })
  await acknowledge(reach)
}

/** Looks whether the secret is there; asks for the key when it is a sealed one of which only the address is known. */
async function look(client: Client, { id, linkKey }: Address, io: Io) {
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

/** A person at a terminal is asked; a script, or somebody who says where the text goes, has decided. */
async function askToOpen({ maxViews }: SecretExists, { yes }: Flags, io: Io): Promise<void> {
  if (yes || !io.canAsk || !io.isTty.stdout) return
  const left = maxViews === null ? 'until it expires' : counted(maxViews, 'more time')
  if (await io.confirm(`It can be opened ${left}. Open it now?`, true)) return
  throw new CliError('interrupted', 'not opened', 'the secret was not used up')
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
  const { header, text, mismatches } = await openViewed(viewed, passphrase, maxTextBytes)
  return { ...facts, text, title: header.title, files: attachedFiles(viewed, header), mismatches }
}

/** Best effort: without it the server destroys what is used up a minute later. */
async function acknowledge({ client, id, linkKey, claim }: Reach): Promise<void> {
  await client.ack(id, { claim, ...(linkKey ? { access: accessProof(linkKey) } : {}) }).catch(() => {})
}
