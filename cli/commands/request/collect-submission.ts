/** `mayfly request collect`: finds the oldest unopened submission, opens, writes, and then acknowledges the view. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { CollectedRequest } from '#shared/api'
import { attachedFiles } from '#shared/client/attached-files'
import type { Client } from '#shared/client/client'
import { createRequestClient } from '#shared/client/request-client'
import { withRetry } from '#shared/client/retry'
import { newClaim } from '#shared/crypto/keys'
import { type CollectKeys, deriveCollectKeys } from '#shared/crypto/request-keys'
import { decryptSubmission } from '#shared/crypto/submission'
import { parseCollectLink } from '#shared/request-link'
import { connectToServer } from '../../client/connect.js'
import { chooseDestination, type DestinationFlags, getSaveFolder } from '../../files/destination.js'
import { openOutput } from '../../files/output-file.js'
import { checkFolderWritable } from '../../files/saved-file.js'
import { CliError } from '../../lib/cli-error.js'
import { parseDuration } from '../../output/duration.js'
import type { Io } from '../../output/io.js'
import { formatCount } from '../../output/sanitize.js'
import { type OpenedSecret, warnOfTampering } from '../../secrets/open-secret.js'
import { readLink } from '../../secrets/resolve-link.js'
import { writeSecret } from '../../secrets/write-secret.js'
import type { GlobalFlags } from '../command.js'

export interface CollectFlags extends Omit<DestinationFlags, 'json'> {
  wait?: true
  for?: string
}

type Flags = CollectFlags & GlobalFlags
type Submission = CollectedRequest['submissions'][number]

/** First and longest pause between two requests for the list, in ms. */
const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 10_000
/** How long `--wait` goes on while the server does not respond. */
const OUTAGE_MAX_MS = 10 * 60_000

/** Throws LinkError, CliError, ApiError, DecryptError or RequestTamperedError. */
export async function collectSubmission(word: string | undefined, flags: Flags, io: Io): Promise<void> {
  if (flags.for !== undefined && !flags.wait) throw new CliError('usage', '--for needs --wait')
  const { base, id, requestKey } = parseCollectLink(await readLink(word, io))
  const keys = deriveCollectKeys(requestKey)
  const { client, options } = await connectToServer(base, flags, io)
  const requests = createRequestClient(options)
  const { next, more } = await findUnopened(() => requests.collect(id, keys.collectProof), flags)
  const destination = chooseDestination(next.files, flags, io.isTty.stdout)
  const folder = getSaveFolder(destination, flags)
  if (folder !== null) await checkFolderWritable(folder, io)
  const output = await openOutput(flags.output, flags.yes, io)
  const claim = newClaim()
  const opened = await openSubmission(client, { keys, requestId: id, submissionId: next.id, claim })
  warnOfTampering(opened.mismatches, io)
  const download = { client, secretId: next.id, mode: flags.progress, io }
  await writeSecret(opened, { flags, output, destination, download })
  // Best effort, as for every secret.
  await client.ack(next.id, { access: keys.collectProof, claim }).catch(() => {})
  if (more > 0) io.note(`${formatCount(more, 'more submission')}; run it again`)
}

/** `more`: number of further unopened submissions. Throws CliError `gone` without one, and `unavailable` after the timeout. */
async function findUnopened(
  collect: () => Promise<CollectedRequest>,
  flags: Flags,
): Promise<{ next: Submission; more: number }> {
  const until =
    flags.for === undefined ? Number.POSITIVE_INFINITY : Date.now() + parseDuration('--for', flags.for) * 1000
  // The server may restart while a command waits. Before the first response, an error is about a wrong address.
  const collectAgain = () => withRetry(collect, { retryForMs: Math.min(OUTAGE_MAX_MS, until - Date.now()) })
  let list = await collect()
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    const [next, ...rest] = list.submissions.filter(({ viewed }) => !viewed)
    if (next) return { next, more: rest.length }
    if (!flags.wait) throw new CliError('gone', 'there is no unopened submission', 'use --wait to wait for one')
    if (Date.now() >= until) throw new CliError('unavailable', 'no submission has arrived', 'wait again, or close it')
    await sleep(Math.min(pause, Math.max(until - Date.now(), 0)))
    list = await collectAgain()
  }
}

interface SubmissionAccess {
  keys: CollectKeys
  requestId: string
  submissionId: string
  claim: string
}

async function openSubmission(
  client: Client,
  { keys, requestId, submissionId, claim }: SubmissionAccess,
): Promise<OpenedSecret> {
  const { limits } = await client.settings()
  const viewed = await client.view(submissionId, { access: keys.collectProof, claim })
  const { identity } = keys
  const { header, text, warnings } = await decryptSubmission(viewed, { identity, requestId }, limits.maxTextBytes)
  return {
    id: submissionId,
    kind: viewed.kind,
    ...{ text, title: header.title, files: attachedFiles(viewed, header) },
    viewsLeft: viewed.maxViews,
    expiresAt: viewed.expiresAt,
    mismatches: warnings,
  }
}
