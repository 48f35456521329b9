/** Generates the keys of a request in the worker, and creates the request. */
import { formatRequestLinks } from '#shared/request-link'
import { requestCrypto } from '../../../crypto-worker/request-crypto.js'
import { randomHex } from '../../../lib/random-hex.js'
import { requestApi } from '../../../lib/request-api.js'
import { labelCreated } from '../../../lib/session/label-created.js'
import { linkBase } from '../../../lib/site.js'
import type { CreatedRequestLinks } from './created-requests.js'
import { type RequestValues, toRequestOptions } from './validate-request.js'

/** Rejects with ApiError, NetworkError, or a JobError named RangeError when title and instructions are too long. */
export type CreateRequestLinks = () => Promise<CreatedRequestLinks>

/** Returns a function that creates the request. Calling it again after an error creates no second request. */
export function prepareRequestLinks(values: RequestValues): CreateRequestLinks {
  const idempotencyKey = randomHex()
  let made: Awaited<ReturnType<typeof createKeys>> | null = null
  return async () => {
    made ??= await createKeys(values)
    const { id, expiresAt, notifyWarning } = await requestApi.create(
      { ...made.body, ...toRequestOptions(values) },
      idempotencyKey,
    )
    labelCreated({ id, expiresAt }, values.title.trim())
    return {
      id,
      expiresAt,
      ...formatRequestLinks({ base: linkBase(), id }, made),
      isSaved: false,
      isKept: false,
      notifyWarning,
    }
  }
}

function createKeys(values: RequestValues) {
  return requestCrypto.create({ title: values.title.trim(), instructions: values.instructions.trim() })
}
