/** Creates the link of a draft, or one for each of several people over one upload. */
import { ApiError } from '#shared/client/client'
import { withRetry } from '#shared/client/retry'
import { api } from '../../lib/api.js'
import { type CreateLink, type Draft, prepareLink } from './create-link.js'
import type { CreatedLink, MissingLinks } from './created-link.js'
import { fileSupportPart } from './files/file-support-part.js'
import { toCsv } from './links-csv.js'
import { parseNames } from './people/parse-names.js'
import { keepOptions } from './start/start-values.js'

interface Person {
  name: string
  create: CreateLink
  secret: CreatedLink | null
}

/** Requests in flight. More are not faster, because of the limit on creates. */
const PARALLEL = 4
const TOO_MANY = { statusCode: 400, error: 'Bad Request', code: 'request.invalid', message: 'too many names' }

/**
 * Returns a function that creates the links. Calling it again after an error creates the missing ones. After an
 * abort, the created ones are burned. The `link` of the result for several people is a table of all links. When some of
 * them failed, the result has the others, and a function that tries the rest again.
 */
export function prepareDraft(draft: Draft): CreateLink {
  const create = prepareLinks(draft)
  return async (watch) => {
    const created = await create(watch)
    if (draft.store) keepOptions(draft.options, draft.store)
    return created
  }
}

function prepareLinks(draft: Draft): CreateLink {
  const names = parseNames(draft.options.names ?? '')
  if (draft.options.isPublic || names?.length === 0) return prepareLink(draft)
  let people: Person[] | null = null
  const create: CreateLink = async (watch) => {
    if (names === null) throw new ApiError(TOO_MANY)
    if (people === null) {
      const { uploadFiles } = await fileSupportPart.load()
      const sent = draft.files.length > 0 ? await uploadFiles(draft.files, { ...watch, copies: names.length }) : []
      people = names.map((name) => ({ name, create: prepareLink({ ...draft, copy: { name, sent } }), secret: null }))
    }
    const all = people
    const missing = all.filter(({ secret }) => secret === null)
    const createNext = async (): Promise<void> => {
      for (let person = missing.shift(); person; person = missing.shift()) {
        const { create } = person
        person.secret = await withRetry(() => create(watch), { signal: watch.signal }).catch((error) => {
          // The others would most likely fail as well.
          missing.length = 0
          throw error
        })
        // The first one is alone: it charges the bytes of the files.
        if (all.filter(({ secret }) => secret !== null).length === 1) return
      }
    }
    const firstOf = all.every(({ secret }) => secret === null) ? await settle([createNext()]) : null
    const failure = firstOf ?? (await settle(Array.from({ length: PARALLEL }, createNext)))
    if (failure) {
      if (watch.signal.aborted) await burnAll(all)
      if (watch.signal.aborted || all.every(({ secret }) => secret === null)) throw failure.reason
    }
    return toResult(all, failure, () => create({ signal: new AbortController().signal, onProgress: () => {} }))
  }
  return create
}

/** Waits for all, so that no link is created after its absence was reported. Returns the first failure. */
async function settle(requests: Promise<void>[]): Promise<PromiseRejectedResult | null> {
  const outcomes = await Promise.allSettled(requests)
  return outcomes.find((outcome) => outcome.status === 'rejected') ?? null
}

function toResult(all: Person[], failure: PromiseRejectedResult | null, retry: MissingLinks['retry']): CreatedLink {
  const people = all.flatMap(({ name, secret }) => (secret ? [{ name, secret }] : []))
  const names = all.flatMap(({ name, secret }) => (secret ? [] : [name]))
  const [first] = people as [(typeof people)[0]]
  const created = { ...first.secret, link: toCsv(people), people }
  return failure ? { ...created, missing: { names, error: failure.reason, retry } } : created
}

/** Best effort: no one has the links. */
async function burnAll(people: Person[]): Promise<void> {
  for (const { secret } of people) {
    if (secret) await api.burn(secret.id, { burnToken: secret.burnToken }).catch(() => {})
  }
}
