/** Secret requests for the browser tests, created and answered as every client does. */
import type { Page } from 'playwright-core'
import type { CreateRequest } from '#shared/api'
import { createRequestClient } from '#shared/client/request-client'
import { encodeText } from '#shared/crypto/envelope'
import { newClaim } from '#shared/crypto/keys'
import type { RequestNote } from '#shared/crypto/request-note'
import { createRequestKeys, encryptSubmission, type RequestKeys, type SubmissionDraft } from '#shared/crypto/submission'
import { formatCollectLink, formatRequestLink } from '#shared/request-link'
import type { BrowserFixture } from './browser-fixture.js'
import { client as secretClient } from './secrets.js'

export interface TestRequest extends RequestKeys {
  id: string
  expiresAt: number
  requestLink: string
  collectLink: string
}

export const NOTE: RequestNote = {
  title: 'Password of the database, é ☃',
  instructions: 'Please send the user name, too.\nOne line each.',
}

const DAY_S = 86_400

const client = ({ url }: BrowserFixture) => createRequestClient({ server: url, retryMs: [] })

/** Creates a request without an account. */
export async function createTestRequest(
  fixture: BrowserFixture,
  options: Partial<CreateRequest> = {},
  note: RequestNote | null = NOTE,
): Promise<TestRequest> {
  const made = await createRequestKeys(note)
  const { id, expiresAt } = await client(fixture).create({ ...made.body, ttl: DAY_S, ...options }, newClaim())
  const place = { base: fixture.url, id }
  return {
    ...made,
    id,
    expiresAt,
    requestLink: formatRequestLink({ ...place, shareSecret: made.keys.shareSecret, fingerprint: made.fingerprint }),
    collectLink: formatCollectLink({ ...place, requestKey: made.requestKey }),
  }
}

/**
 * Submits a text. `requestId`: the request that the submission names, by default its own. `authenticKey`: another one
 * makes a forgery. `copies`: how often the same ciphertext is sent. `files`: uploaded with `uploaderOf`. Returns the id
 * of the last one.
 */
export async function submitText(
  fixture: BrowserFixture,
  { id, expiresAt, keys, body }: TestRequest,
  text = 'the answer, é ☃',
  {
    requestId = id,
    authenticKey = keys.authenticKey,
    copies = 1,
    files = [] as NonNullable<SubmissionDraft['files']>,
  } = {},
): Promise<string> {
  const draft = { authenticKey, requestId, text: encodeText(text), files, expiresAt }
  const sealed = await encryptSubmission(draft, body.recipient)
  let submitted = ''
  for (let copy = 0; copy < copies; copy++)
    submitted = (await client(fixture).submit(id, { submit: keys.submitProof, ...sealed }, newClaim())).id
  return submitted
}

/** A client that uploads files for a submission. */
export const uploaderOf = (fixture: BrowserFixture, { id, keys }: TestRequest) =>
  client(fixture).uploader(secretClient(fixture), id, keys.submitProof)

export const closeTestRequest = (fixture: BrowserFixture, { id, keys }: TestRequest) =>
  client(fixture).close(id, keys.collectProof)

/** Opens either link, and clicks the button that loads the request. */
export async function openRequestPage(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.locator('main form button[type=submit]').click()
}
