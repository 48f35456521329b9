/** Ended secrets: the list and the export for their owner, and their deletion after the retention. */
import { Readable } from 'node:stream'
import type { AuthContext } from '../contracts/auth-context.js'
import type { EndedSecretStore, EndedSecret as StoredEnd } from '../contracts/ended-secrets.js'
import type { ReceiptOutcome } from '../contracts/receipts.js'
import type { DocumentStream } from '../lib/document-stream.js'
import type { SettingsService } from '../settings/settings-service.js'
import type { EndedSecret, ExportEndedSecrets, ListEndedSecrets } from '../shared/api/index.js'
import { formatEndedSecrets } from '../shared/export/ended-secrets.js'
import { recordsEnds, retentionOf } from './retention.js'

/** Entries per query of an export. */
const EXPORT_PAGE = 500

const OUTCOMES: Record<EndedSecret['state'], ReceiptOutcome> = {
  'used-up': 'last-view',
  burned: 'burned',
  expired: 'expired',
}
const STATES: Record<ReceiptOutcome, EndedSecret['state']> = {
  'last-view': 'used-up',
  burned: 'burned',
  expired: 'expired',
}
const MEDIA_TYPES = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' } as const

export type EndedSecretsService = ReturnType<typeof endedSecretsService>

interface Deps {
  /** Absent if the storage has none. */
  store: EndedSecretStore | undefined
  instance: Pick<SettingsService, 'current'>
  /** Epoch ms. */
  now: () => number
}

export function endedSecretsService({ store, instance, now }: Deps) {
  /** Reads entries within the retention, which the cleanup may not have applied yet. */
  async function read(
    { userId }: AuthContext,
    {
      state,
      until,
      after,
    }: { state?: EndedSecret['state'] | undefined; until?: number | undefined; after?: StoredEnd },
    { skip, take }: { skip: number; take: number },
  ): Promise<StoredEnd[]> {
    const settings = await instance.current()
    if (!store || userId === null || !recordsEnds(settings)) return []
    const filter = {
      ...{ ownerId: userId, since: now() - retentionOf(settings), until: Math.min(until ?? now(), now()) },
      ...(state === undefined ? {} : { outcome: OUTCOMES[state] }),
      ...(after === undefined ? {} : { after }),
    }
    return store.list(filter, { skip, take })
  }

  async function* readPages(caller: AuthContext, { state }: ExportEndedSecrets, first: StoredEnd[]) {
    const until = now()
    for (let page = first; page.length > 0; ) {
      yield page
      const after = page.at(-1)
      if (page.length < EXPORT_PAGE || !after) return
      page = await read(caller, { state, until, after }, { skip: 0, take: EXPORT_PAGE })
    }
  }

  return {
    /** Lists ended secrets of the caller; the last one to end comes first. */
    async list({ skip, take, ...filter }: ListEndedSecrets, caller: AuthContext): Promise<EndedSecret[]> {
      return (await read(caller, filter, { skip, take })).map(toResponse)
    },
    /** All ended secrets of the caller as a file. It reads a page at a time, when the client has received the one before. */
    async export(query: ExportEndedSecrets, caller: AuthContext): Promise<DocumentStream> {
      const { format, state } = query
      // Before the response, so that an error of the storage has its status.
      const first = await read(caller, { state }, { skip: 0, take: EXPORT_PAGE })
      const pages = formatPages(format, readPages(caller, query, first))
      return { body: Readable.from(pages), type: MEDIA_TYPES[format], name: `mayfly-secrets.${format}` }
    },
    /** Deletes up to `limit` entries after their retention. Returns their number. */
    async deleteEnded(now: number, limit: number): Promise<number> {
      return store ? store.deleteEnded(now - retentionOf(await instance.current()), limit) : 0
    },
    /** Whether the storage records the end of secrets at the moment. */
    recordsEnds: async (): Promise<boolean> => store !== undefined && recordsEnds(await instance.current()),
  }
}

async function* formatPages(format: ExportEndedSecrets['format'], pages: AsyncIterable<StoredEnd[]>) {
  const { header, format: formatPage } = formatEndedSecrets(format)
  if (header !== '') yield header
  for await (const page of pages) yield formatPage(page.map(toResponse))
}

const toResponse = ({ ownerId: _, outcome, hasPassword, ...ended }: StoredEnd): EndedSecret => ({
  ...ended,
  state: STATES[outcome],
  passwordRequired: hasPassword,
})
