/** Ended secrets: the list and the export for their owner, and their deletion after the retention. */
import { Readable } from 'node:stream'
import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { EndedSecret as StoredEnd } from '../contracts/ended-secrets.js'
import type { DocumentStream } from '../lib/document-stream.js'
import type { EndedSecret, ExportEndedSecrets, ListEndedSecrets } from '../shared/api/index.js'
import type { EpochMs } from '../shared/epoch-ms.js'
import { recordsEnds, retentionOf } from './retention.js'

/** Entries per query of an export. */
const EXPORT_PAGE = 500

const MEDIA_TYPES = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' } as const

/** Lists ended secrets of the caller; the last one to end comes first. */
export async function listEndedSecrets(
  app: App,
  { skip, take, ...filter }: ListEndedSecrets,
  caller: AuthContext,
): Promise<EndedSecret[]> {
  return (await read(app, caller, filter, { skip, take })).map(toResponse)
}

/**
 * All ended secrets of the caller as a file. It reads one page at a time, after the client has received the previous
 * page.
 */
export async function exportEndedSecrets(
  app: App,
  query: ExportEndedSecrets,
  caller: AuthContext,
): Promise<DocumentStream> {
  const { format, state } = query
  // Reads before the response starts, so that an error of the storage sets the status.
  const first = await read(app, caller, { state }, { skip: 0, take: EXPORT_PAGE })
  const pages = formatPages(format, readPages(app, caller, query, first))
  return { body: Readable.from(pages), type: MEDIA_TYPES[format], name: `mayfly-secrets.${format}` }
}

/** Deletes up to `limit` entries after their retention. Returns their number. */
export async function deleteEndedSecrets({ storage, settings, now }: App, limit: number): Promise<number> {
  return storage.endedSecrets.deleteEnded(now() - retentionOf(await settings.current()), limit)
}

interface Filter {
  state?: EndedSecret['state'] | undefined
  until?: EpochMs | undefined
  after?: StoredEnd
}

/** Reads entries within the retention, which the cleanup may not have applied yet. */
async function read(
  { storage, settings, now }: App,
  { userId }: AuthContext,
  { state, until, after }: Filter,
  { skip, take }: { skip: number; take: number },
): Promise<StoredEnd[]> {
  const current = await settings.current()
  if (userId === null || !recordsEnds(current)) return []
  const filter = {
    ownerId: userId,
    since: now() - retentionOf(current),
    until: Math.min(until ?? now(), now()),
    ...(state === undefined ? {} : { outcome: state }),
    ...(after === undefined ? {} : { after }),
  }
  return storage.endedSecrets.list(filter, { skip, take })
}

async function* readPages(app: App, caller: AuthContext, { state }: ExportEndedSecrets, first: StoredEnd[]) {
  const until = app.now()
  for (let page = first; page.length > 0; ) {
    yield page
    const after = page.at(-1)
    if (page.length < EXPORT_PAGE || !after) return
    page = await read(app, caller, { state, until, after }, { skip: 0, take: EXPORT_PAGE })
  }
}

async function* formatPages(format: ExportEndedSecrets['format'], pages: AsyncIterable<StoredEnd[]>) {
  const { formatEndedSecrets } = await import('../shared/export/ended-secrets.js')
  const { header, format: formatPage } = formatEndedSecrets(format)
  if (header !== '') yield header
  for await (const page of pages) yield formatPage(page.map(toResponse))
}

const toResponse = ({ ownerId: _, outcome, hasPassword, ...ended }: StoredEnd): EndedSecret => ({
  ...ended,
  state: outcome,
  passwordRequired: hasPassword,
})
