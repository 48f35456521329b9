/** `mayfly secret read`: peeks, confirms, opens, writes, and then acknowledges the view. */
import type { SecretExists } from '#shared/api'
import { connectToServer } from '../../client/connect.js'
import type { DestinationFlags } from '../../files/destination.js'
import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'
import { formatCount } from '../../output/sanitize.js'
import { acknowledgeView, openSecret, peekSecret, type SecretAccess } from '../../secrets/open-secret.js'
import { createReadClaim, takeUnfinishedRead } from '../../secrets/read-claims.js'
import { type CodeFlags, obtainCode } from '../../secrets/recipient-code.js'
import { resolveLink } from '../../secrets/resolve-link.js'
import { type PasswordFlags, readPassword } from '../../secrets/secret-password.js'
import { prepareWriting, writeSecret } from '../../secrets/write-secret.js'
import type { GlobalFlags } from '../command.js'
import { formatPeek, formatPeekJson } from './format-peek.js'

export interface ReadFlags extends PasswordFlags, CodeFlags, Omit<DestinationFlags, 'json'> {
  peek?: true
  keyFile?: string
}

type Flags = ReadFlags & GlobalFlags

/** Throws LinkError, CliError or ApiError. */
export async function readSecret(word: string | undefined, flags: Flags, io: Io): Promise<void> {
  const address = await resolveLink(word, flags.keyFile, io)
  const { client, options, server } = await connectToServer(address.server, flags, io)
  const unfinished = flags.peek ? null : await takeUnfinishedRead(server, address.id, io)
  const { found, linkKey } = await peekSecret(client, address, io, { unfinished })
  if (flags.peek) return io.write(flags.json ? formatPeekJson(found) : formatPeek(found, Date.now()))
  const prepared = await prepareWriting(found.files, flags, io)
  const password = await readPassword(flags, io)
  if (!unfinished) await confirmOpening(found, flags, io)
  // The claim of an unfinished read is enough if its code was used.
  const isAsked = !unfinished || flags.email !== undefined || flags.code !== undefined
  const code = isAsked ? await obtainCode(found, flags, { options, linkKey }, io) : undefined
  const claim = createReadClaim(server, found, unfinished, io)
  const access: SecretAccess = { client, id: found.id, linkKey, claim, code }
  const opened = await openSecret(access, found, password, io)
  const download = { client, secretId: found.id, mode: flags.progress, io }
  await writeSecret(opened, { flags, ...prepared, download }).catch((error) => {
    throw claim.explain(error)
  })
  await acknowledgeView(access, opened.viewsLeft, io)
}

/** Asks for confirmation only if both stdin and stdout are terminals. */
async function confirmOpening({ maxViews }: SecretExists, flags: Flags, io: Io): Promise<void> {
  if (!io.isTty.stdout) return
  const left = maxViews === null ? 'until it expires' : formatCount(maxViews, 'more time')
  const refusal = new CliError('interrupted', 'not opened', 'the secret was not used up')
  await io.requireConfirmation(`This secret can be opened ${left}. Open it now?`, true, flags, refusal)
}
