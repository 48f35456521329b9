import { AppError, isOpen, type NewSubmission, type RequestStore, type Submission, type SubmitResult } from '#core'
import { expireFiles } from './attachment-store.js'
import { recordEnd } from './ended-secret-store.js'
import { createSecret, findRecord } from './secret-store.js'
import { addEvents, assertFree, type RequestEntry, type Tables } from './tables.js'

/** Each operation is synchronous, and therefore atomic: see index.ts. */
export function createRequestStore(tables: Tables): RequestStore {
  const { requests } = tables
  return {
    async create(request, now, record, events) {
      const earlier = record && findRecord(tables, record.keyHash, now)
      if (earlier) return earlier.response
      if (request.ownerId !== null && !tables.users.has(request.ownerId)) throw new AppError('storage.conflict')
      assertFree(requests.has(request.id))
      requests.set(request.id, { request: { ...request }, submissions: [] })
      if (record) tables.idempotencyRecords.set(record.keyHash, { ...record })
      addEvents(tables, events)
      return null
    },
    find: async (id, now) => copy(findLive(tables, id, now)),
    submit: async (id, submission, now) => submit(tables, id, submission, now),
    listSubmissions: async (id, now) =>
      (findLive(tables, id, now)?.submissions ?? []).map((each) => toSubmission(tables, each, now)).sort(oldestFirst),
    listByOwner: async (ownerId, { skip, take }, now) =>
      [...requests.values()]
        .map(({ request }) => ({ ...request }))
        .filter((request) => request.ownerId === ownerId && request.expiresAt > now)
        .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
        .slice(skip, skip + take),
    async close(id, now, toEvents = () => [], recordsEnd = false) {
      const burned = close(tables, id, now)
      if (recordsEnd) for (const secret of burned ?? []) recordEnd(tables, secret, 'burned', now)
      if (burned) addEvents(tables, toEvents(burned))
      return burned
    },
    async deleteExpired(now, limit, toEvents = () => []) {
      const expired = [...requests.values()].filter(({ request }) => request.expiresAt <= now).slice(0, limit)
      for (const { request } of expired) {
        requests.delete(request.id)
        addEvents(tables, toEvents({ ...request }))
      }
      return expired.length
    },
  }
}

function submit(tables: Tables, id: string, submission: NewSubmission, now: number): SubmitResult {
  const entry = findLive(tables, id, now)
  if (!entry || entry.request.submissions >= entry.request.maxSubmissions) return { outcome: 'refused' }
  const { secret, size, record, files, events = [], toEvents = () => [] } = submission
  const response = createSecret(tables, secret, now, record, files)
  if (response !== null) return { outcome: 'repeated', response }
  entry.request.submissions += 1
  const { createdAt, expiresAt } = secret
  entry.submissions.push({ id: secret.id, createdAt, expiresAt, size, files: secret.files })
  addEvents(tables, [...events, ...toEvents(entry.request.submissions)])
  return { outcome: 'stored' }
}

function close(tables: Tables, id: string, now: number) {
  const entry = findLive(tables, id, now)
  if (!entry) return null
  tables.requests.delete(id)
  const open = entry.submissions
    .flatMap((submission) => tables.secrets.get(submission.id)?.secret ?? [])
    .filter((secret) => isOpen(secret, now))
  for (const secret of open) {
    expireFiles(tables, secret.id, now)
    tables.secrets.delete(secret.id)
  }
  return open.map(({ text: _, ...meta }) => meta)
}

function toSubmission({ secrets }: Tables, submission: Omit<Submission, 'viewed'>, now: number): Submission {
  const views = secrets.get(submission.id)?.secret.views
  return { ...submission, viewed: views === undefined || views > 0 || submission.expiresAt <= now }
}

const oldestFirst = (a: Submission, b: Submission) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)

function findLive({ requests }: Tables, id: string, now: number): RequestEntry | undefined {
  const entry = requests.get(id)
  return entry && entry.request.expiresAt > now ? entry : undefined
}

const copy = (entry: RequestEntry | undefined) => (entry ? { ...entry.request } : null)
