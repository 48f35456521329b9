/** The use cases of secret requests, bound to their dependencies. */
import { closeRequest } from './close-request.js'
import { collectRequest } from './collect-request.js'
import { createRequest } from './create-request.js'
import { listOwnRequests } from './list-requests.js'
import { openRequest } from './open-request.js'
import type { RequestDeps } from './request-deps.js'
import { reserveRequestFile, submitToRequest } from './submit-to-request.js'

export type RequestsService = ReturnType<typeof requestsService>

export const requestsService = (deps: RequestDeps) => ({
  /** False if requests are turned off, or the storage keeps none. */
  isEnabled: async () => deps.store !== undefined && !(await deps.instance.current()).disable_requests,
  create: createRequest.bind(null, deps),
  open: openRequest.bind(null, deps),
  submit: submitToRequest.bind(null, deps),
  reserveFile: reserveRequestFile.bind(null, deps),
  collect: collectRequest.bind(null, deps),
  close: closeRequest.bind(null, deps),
  listOwn: listOwnRequests.bind(null, deps),
})
