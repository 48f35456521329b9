/** API requests of users about their account, and of administrators. */

import type { JsonSchemaOf } from '#shared/check-json'
import { ApiError } from '#shared/client/client'
import type { ApiRequest, SendJson } from '#shared/client/send-request'
import { requestJson as sendRequest } from './api.js'
import { requestProof } from './proof-request.js'

/**
 * Sends one JSON request. When the server needs a recent proof of the user, asks the user for it and sends the request
 * again. Rejects with the error of the server when the user cancels.
 */
export const requestJson = (async <T>(request: ApiRequest & { response: JsonSchemaOf<T> }) => {
  for (;;) {
    try {
      return await sendRequest(request)
    } catch (error) {
      const needsProof = error instanceof ApiError && error.code === 'auth.proof_required'
      if (!needsProof || !(await requestProof())) throw error
    }
  }
}) as SendJson
