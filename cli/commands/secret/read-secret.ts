/** `mayfly secret read`: look first, ask, open, deliver, and only then tell the server that it arrived. */
import type { SecretExists } from '#shared/api'
import { newClaim } from '#shared/crypto/keys'
import { connectAs } from '../../client/connect.js'
import { folderFor, type PlaceFlags, placeOf } from '../../files/destination.js'
import { openOutput } from '../../files/output-file.js'
import { checkFolder } from '../../files/saved-file.js'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'
import { counted } from '../../output/sanitize.js'
import { acknowledge, look, open, type Reach } from '../../secrets/open-secret.js'
import { addressOf } from '../../secrets/resolve-link.js'
import { givenPassword, type PasswordFlags } from '../../secrets/secret-password.js'
import { deliver } from '../../secrets/write-secret.js'
import type { GlobalFlags } from '../command.js'
import { describePeek, peekDocument } from './describe-peek.js'

export interface ReadFlags extends PasswordFlags, Omit<PlaceFlags, 'json'> {
  peek?: true
  keyFile?: string
}

type Flags = ReadFlags & GlobalFlags

/** Throws LinkError, CliError, or whatever the server answers. */
export async function readSecret(word: string | undefined, flags: Flags, io: Io): Promise<void> {
  const address = await addressOf(word, flags.keyFile, io)
  const { client } = await connectAs(address.server, flags, io)
  const { found, linkKey } = await look(client, address, io)
  if (flags.peek) return io.write(flags.json ? peekDocument(found) : describePeek(found, Date.now()))
  const place = placeOf(found.files, flags, io.isTty.stdout)
  const folder = folderFor(place, flags)
  if (folder !== null) await checkFolder(folder, io)
  const output = await openOutput(flags.output, flags.yes, io)
  const password = await givenPassword(flags, io)
  await askToOpen(found, flags, io)
  const reach: Reach = { client, id: found.id, linkKey, claim: newClaim() }
  const opened = await open(reach, found, password, io)
  await deliver(opened, { flags, output, place, desk: { client, secretId: found.id, mode: flags.progress, io } })
  await acknowledge(reach)
}

/** A person at a terminal is asked; a script, or somebody who says where the text goes, has decided. */
async function askToOpen({ maxViews }: SecretExists, { yes }: Flags, io: Io): Promise<void> {
  if (yes || !io.canAsk || !io.isTty.stdout) return
  const left = maxViews === null ? 'until it expires' : counted(maxViews, 'more time')
  if (await io.confirm(`It can be opened ${left}. Open it now?`, true)) return
  throw new CliError('interrupted', 'not opened', 'the secret was not used up')
}
