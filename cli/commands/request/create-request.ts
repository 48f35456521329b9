/** `mayfly request create`: derives the keys locally, stores the request, prints the request link. */
import { randomBytes } from 'node:crypto'
import type { CreatedRequest, CreateRequest } from '#shared/api'
import { createRequestClient } from '#shared/client/request-client'
import { newClaim } from '#shared/crypto/keys'
import { createRequestKeys } from '#shared/crypto/submission'
import { SUBMISSIONS_MAX, TITLE_MAX } from '#shared/limits'
import { formatRequestLinks } from '#shared/request-link'
import { connectToServer, type ServerFlags } from '../../client/connect.js'
import { chooseLinkBase, listLinkAddresses } from '../../client/link-base.js'
import { explainUnknownOutcome } from '../../client/unknown-outcome.js'
import { type Output, openOutput } from '../../files/output-file.js'
import { CliError } from '../../lib/cli-error.js'
import { parseDuration } from '../../output/duration.js'
import { formatExpiry, formatTime } from '../../output/format-expiry.js'
import type { Io } from '../../output/io.js'
import { formatCount } from '../../output/sanitize.js'
import { warnAboutNotify } from '../../output/warn-about-notify.js'
import { writeAll } from '../../output/write-all.js'
import { checkAddress, checkLifetime, defaultRequestTtl } from '../../secrets/follow-policy.js'
import type { GlobalFlags } from '../command.js'

export interface RequestCreateFlags extends ServerFlags {
  title?: string
  instructions?: string
  ttl?: string
  submissions: string
  maxBytes?: string
  files: boolean
  allowIp?: string
  notify?: true
  collectFile?: string
  collectFd?: string
  showCollectLink?: true
}

type Flags = RequestCreateFlags & GlobalFlags

/** Throws CliError, ApiError, or RangeError for a note that is too long. */
export async function createRequest(flags: Flags, io: Io): Promise<void> {
  const maxSubmissions = checkFlags(flags)
  const givenTtl = flags.ttl === undefined ? null : parseDuration('--ttl', flags.ttl)
  const { client, options, server } = await connectToServer(null, flags, io)
  const settings = await client.settings()
  const ttl = givenTtl ?? defaultRequestTtl(settings)
  checkLifetime(ttl, settings)
  checkAddress(flags.allowIp, settings.policy)
  const made = await createKeys(flags)
  // Before the request exists: its only link that opens submissions must have a place.
  const collectFile = getCollectFile(flags)
  const output = collectFile === null ? null : await openOutput(collectFile, flags.yes, io)
  const request = {
    ...made.body,
    ttl,
    maxSubmissions,
    allowFiles: flags.files && settings.policy.files,
    ...(flags.maxBytes === undefined ? {} : { maxBytes: Number(flags.maxBytes) }),
    ...(flags.allowIp === undefined ? {} : { allowedIp: flags.allowIp }),
    ...(flags.notify ? { notify: true } : {}),
  } satisfies CreateRequest
  const addresses = listLinkAddresses(server, flags, io)
  const requests = createRequestClient(options)
  const next = () => 'run it again: the links of a request that was created without a response are lost'
  const created = await explainUnknownOutcome(requests.create(request, newClaim()), 'the request was created', next)
  const place = {
    base: await findBase(created, addresses, () => requests.close(created.id, made.keys.collectProof)),
    id: created.id,
  }
  const { requestLink, collectLink } = formatRequestLinks(place, made)
  await writeCollectLink(collectLink, output, flags)
  const until = formatExpiry(created.expiresAt, Date.now())
  io.note(`created: accepts ${formatCount(maxSubmissions, 'submission')}, expires ${until}`)
  warnAboutNotify(created, io)
  if (collectFile !== null) io.note(`the collect link, which opens the submissions, is in ${collectFile}`)
  if (flags.showCollectLink && !flags.json) io.writeErr(`Collect link: ${collectLink}\n`)
  const document = {
    id: created.id,
    link: requestLink,
    expires_at: formatTime(created.expiresAt),
    submissions: maxSubmissions,
    collect_file: collectFile,
    ...(flags.showCollectLink ? { collect_link: collectLink } : {}),
  }
  await io.writeResult(flags, document, `${requestLink}\n`)
}

/** Returns the number of submissions. Throws CliError `usage`. */
function checkFlags({ title, submissions, collectFile, collectFd, showCollectLink }: Flags): number {
  const refuse = (message: string, hint?: string): never => {
    throw new CliError('usage', message, hint)
  }
  if (title !== undefined && (title === '' || title.length > TITLE_MAX || /\p{Cc}/u.test(title))) {
    refuse(`--title must be one line of at most ${TITLE_MAX} characters`)
  }
  if ([collectFile, collectFd, showCollectLink].filter((flag) => flag !== undefined).length > 1) {
    refuse('--collect-file, --collect-fd and --show-collect-link exclude each other', 'use one of them')
  }
  if (collectFile === '-') refuse('--collect-file must be a file', 'stdout is for the request link; use --collect-fd')
  const count = Number(submissions)
  if (count < 1 || count > SUBMISSIONS_MAX) refuse(`--submissions must be 1 to ${SUBMISSIONS_MAX}`)
  return count
}

async function createKeys({ title = '', instructions = '' }: Flags) {
  try {
    return await createRequestKeys({ title, instructions })
  } catch (error) {
    throw error instanceof RangeError ? new CliError('usage', error.message, 'use shorter --instructions') : error
  }
}

/** null: the collect link is written to no file. */
function getCollectFile({ collectFile, collectFd, showCollectLink }: Flags): string | null {
  if (collectFd !== undefined || showCollectLink) return null
  return collectFile ?? `collect-${randomBytes(4).toString('hex')}.link`
}

async function writeCollectLink(link: string, output: Output | null, { collectFd }: Flags): Promise<void> {
  if (output) {
    await output.write(`${link}\n`)
    return output.close()
  }
  if (collectFd === undefined) return
  try {
    await writeAll(Number(collectFd), `${link}\n`)
  } catch (error) {
    throw new CliError('usage', `cannot write --collect-fd: ${(error as NodeJS.ErrnoException).code}`)
  }
}

/** Closes the request and throws CliError if the server names an address that the user does not trust. */
async function findBase({ url }: CreatedRequest, addresses: string[], close: () => Promise<unknown>): Promise<string> {
  try {
    return chooseLinkBase(url, addresses)
  } catch (error) {
    await close().catch(() => {})
    throw error
  }
}
