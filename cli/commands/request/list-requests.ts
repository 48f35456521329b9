/** `mayfly request list`. */
import { createRequestClient } from '#shared/client/request-client'
import { connectSignedIn, type ServerFlags } from '../../client/connect.js'
import { formatTime } from '../../output/format-expiry.js'
import type { Io } from '../../output/io.js'
import { formatList, type ListFlags } from '../../output/table.js'
import type { GlobalFlags } from '../command.js'
import { type PageFlags, parsePage } from '../parse-page.js'

export interface RequestListFlags extends ServerFlags, PageFlags, ListFlags {}

export async function listOwnRequests(flags: RequestListFlags & GlobalFlags, io: Io): Promise<void> {
  const page = parsePage(flags)
  const { options } = await connectSignedIn(flags, io)
  const rows = (await createRequestClient(options).list(page)).map((request) => ({
    id: request.id,
    submissions: request.submissions,
    unopened: request.unopened,
    max_submissions: request.maxSubmissions,
    files: request.allowFiles,
    created_at: formatTime(request.createdAt),
    expires_at: formatTime(request.expiresAt),
  }))
  await io.write(
    formatList(rows, ['id', 'submissions', 'unopened', 'max_submissions', 'created_at', 'expires_at'], flags, io),
  )
}
