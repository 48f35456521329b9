/** `mayfly request collect`: finds the oldest unopened submission, opens, writes, and then acknowledges the view. */
import type { CollectedRequest } from '#shared/api'
import type { Client } from '#shared/client/client'
import { createRequestClient } from '#shared/client/request-client'
import { withRetry } from '#shared/client/retry'
import { acknowledge as sendAcknowledgement } from '#shared/client/viewed-content'
import { readSubmission } from '#shared/client/viewed-submission'
import { deriveCollectKeys } from '#shared/crypto/request-keys'
import { isDamaged } from '#shared/crypto/submission'
import { parseCollectLink } from '#shared/parse-links'
import type { CollectLink } from '#shared/request-link'
import { connectToServer } from '../../client/connect.js'
import { explainUnknownOutcome } from '../../client/unknown-outcome.js'
import type { DestinationFlags } from '../../files/destination.js'
import { CliError } from '../../lib/cli-error.js'
import { createPauses } from '../../lib/pauses.js'
import { parseDeadline } from '../../output/duration.js'
import { describeError } from '../../output/error-output.js'
import type { Io } from '../../output/io.js'
import { formatCount } from '../../output/sanitize.js'
import { acknowledge, describeOpened, type OpenedSecret, warnOfTampering } from '../../secrets/open-secret.js'
import { rememberSubmission } from '../../secrets/opened-submissions.js'
import { createReadClaim, type ReadClaim, takeUnfinishedRead, type UnfinishedRead } from '../../secrets/read-claims.js'
import { parsePasted, readLink } from '../../secrets/resolve-link.js'
import { prepareWriting, writeSecret } from '../../secrets/write-secret.js'
import type { GlobalFlags } from '../command.js'

export interface CollectFlags extends Omit<DestinationFlags, 'json'> {
  wait?: true
  for?: string
}

type Flags = CollectFlags & GlobalFlags
type Submission = CollectedRequest['submissions'][number]

/** How long `--wait` goes on while the server does not respond. */
const OUTAGE_MAX_MS = 10 * 60_000

/** Throws LinkError, CliError, ApiError, DecryptError or RequestTamperedError. */
export async function collectSubmission(word: string | undefined, flags: Flags, io: Io): Promise<void> {
  if (flags.for !== undefined && !flags.wait) throw new CliError('usage', '--for needs --wait')
  const link = parsePasted(await readLink(word, io), parseCollectLink, io)
  const { collectProof } = deriveCollectKeys(link.requestKey)
  const { client, options, server } = await connectToServer(link.base, flags, io)
  const requests = createRequestClient(options)
  const takeUnfinished = (submissionId: string) => takeUnfinishedRead(server, submissionId, io)
  const collect = () => requests.collect(link.id, collectProof)
  const { list, next, more, unfinished } = await findUnopened(collect, takeUnfinished, flags)
  const prepared = await prepareWriting(next.files, flags, io)
  const found = { ...next, kind: 'sealed' as const, maxViews: 1, passwordRequired: false, codeRequired: false }
  const claim = createReadClaim(server, found, unfinished, io)
  const { opened, tag } = await openSubmission(client, { link, collectProof, submissionId: next.id, claim })
  warnOfTampering(opened.mismatches, io)
  const isRepeated = await rememberSubmission(
    { server, requestId: link.id, endsAt: list.expiresAt, id: next.id, tag },
    io,
  )
  if (isRepeated) io.warn('the same submission was opened before: it was sent again, or the server returned it twice')
  io.note('made by a holder of the request link')
  const download = { client, secretId: next.id, mode: flags.progress, io }
  await writeSecret(opened, { flags, ...prepared, download }).catch((error) => {
    throw claim.explain(error)
  })
  const ack = () => sendAcknowledgement(client, next.id, { access: collectProof, claim: claim.value })
  await acknowledge(ack, claim, opened.viewsLeft, io)
  if (more > 0) io.note(`${formatCount(more, 'more submission')}; run it again`)
}

/**
 * Finds the next submission: an unfinished one of an earlier attempt, else the oldest unopened one. `more`: number of
 * further unopened submissions. Throws CliError `gone` without one, and `unavailable` after the timeout.
 */
async function findUnopened(
  collect: () => Promise<CollectedRequest>,
  takeUnfinished: (id: string) => Promise<UnfinishedRead | null>,
  flags: Flags,
): Promise<{ list: CollectedRequest; next: Submission; more: number; unfinished: UnfinishedRead | null }> {
  const until = parseDeadline('--for', flags.for)
  // The server may restart while a command waits. Before the first response, an error is about a wrong address.
  const collectAgain = () => withRetry(collect, { retryForMs: Math.min(OUTAGE_MAX_MS, until - Date.now()) })
  let list = await collect()
  const pause = createPauses(until)
  for (;;) {
    const unopened = list.submissions.filter(({ viewed }) => !viewed)
    for (const next of list.submissions) {
      const unfinished = await takeUnfinished(next.id)
      if (unfinished) return { list, next, more: unopened.filter(({ id }) => id !== next.id).length, unfinished }
    }
    const [next, ...rest] = unopened
    if (next) return { list, next, more: rest.length, unfinished: null }
    if (!flags.wait) throw new CliError('gone', 'there is no unopened submission', 'use --wait to wait for one')
    if (Date.now() >= until) throw new CliError('unavailable', 'no submission has arrived', 'wait again, or close it')
    await pause()
    list = await collectAgain()
  }
}

interface SubmissionAccess {
  link: CollectLink
  collectProof: string
  submissionId: string
  claim: ReadClaim
}

async function openSubmission(
  client: Client,
  { link, collectProof, submissionId, claim }: SubmissionAccess,
): Promise<{ opened: OpenedSecret; tag: string }> {
  const { limits } = await client.settings()
  await claim.keep(limits.readGraceSeconds)
  const view = client.view(submissionId, { access: collectProof, claim: claim.value })
  const viewed = await explainUnknownOutcome(view, 'the submission was opened', claim.hint)
  const { tag, ...content } = await readSubmission(viewed, link, limits.maxTextBytes).catch(async (error) => {
    if (!isDamaged(error)) throw claim.explain(error)
    throw await acknowledgeDamaged(client, { collectProof, submissionId, claim }, error)
  })
  return { opened: { ...describeOpened(viewed, content), id: submissionId }, tag }
}

/** Deletes a submission whose check failed, so that the next attempt opens another one. Returns the error to throw. */
async function acknowledgeDamaged(
  client: Client,
  { collectProof, submissionId, claim }: Omit<SubmissionAccess, 'link'>,
  error: unknown,
): Promise<unknown> {
  try {
    await sendAcknowledgement(client, submissionId, { access: collectProof, claim: claim.value, damaged: true })
  } catch {
    return claim.explain(error)
  }
  await claim.release()
  const { outcome, message, hint } = describeError(error)
  const next = 'it was deleted; run it again for the next submission'
  return new CliError(outcome, message, hint ? `${hint}; ${next}` : next, { cause: error })
}
