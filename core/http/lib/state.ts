/** State of a request, typed once for all middleware and route handlers. */
import type { Next, ParameterizedContext } from 'koa'
import type { AuthContext } from '../../contracts/auth-context.js'
import type { ErrorCode } from '../../lib/errors.js'
import type { SessionCookies } from './cookies.js'

export interface AppState {
  /** Set by `requestLog`. Also the response header `X-Request-Id`. */
  requestId: string
  /** Set by `clientIp` to an anonymous caller, then by `authenticate`. */
  caller: AuthContext
  /** Set by `authenticate`, so on API routes only. */
  cookies: SessionCookies
  /**
   * Set by `authenticate`: the browser sent the credentials by itself, as a cookie or through a proxy, so another site
   * may have caused the request.
   */
  isAmbient: boolean
  /** Set by `authenticate`: why the credentials were rejected. Thrown on routes that require authentication. */
  authError?: unknown
  /** Set by `jsonBodyParser`, so on routes with a JSON body only. */
  body?: unknown
  /** Set by `errorHandler`: code of the error response, for the log. */
  errorCode?: ErrorCode
  /** Set by `errorHandler` for status 500 and higher: codes of the causes of the error, such as 42501, for the log. */
  errorCause?: string
  /** Set by `errorHandler` for status 500 and higher: how the operator can fix the error, for the log. */
  errorHint?: string | undefined
}

export type AppContext = ParameterizedContext<AppState>

export type AppMiddleware = (ctx: AppContext, next: Next) => Promise<void>
