/** Generates the keys of a request in the worker, and creates the request. */
import { formatCollectLink, formatRequestLink } from '#shared/request-link'
import { requestCrypto } from '../../../crypto-worker/request-crypto.js'
import { randomHex } from '../../../lib/random-hex.js'
import { requestApi } from '../../../lib/request-api.js'
import type { CreatedRequestLinks } from './created-requests.js'
import { type RequestValues, toRequestOptions } from './validate-request.js'

/** Rejects with ApiError, NetworkError, or a JobError named RangeError when title and instructions are too long. */
export async function createRequestLinks(values: RequestValues): Promise<CreatedRequestLinks> {
  const [title, instructions] = [values.title.trim(), values.instructions.trim()]
  const note = title === '' && instructions === '' ? null : { title, instructions }
  const { keys, requestKey, fingerprint, body } = await requestCrypto.create(note)
  const { id, url, expiresAt } = await requestApi.create({ ...body, ...toRequestOptions(values) }, randomHex())
  const place = { base: url.slice(0, url.lastIndexOf('/request/')), id }
  return {
    id,
    expiresAt,
    requestLink: formatRequestLink({ ...place, shareSecret: keys.shareSecret, fingerprint }),
    collectLink: formatCollectLink({ ...place, requestKey }),
    isSaved: false,
  }
}
