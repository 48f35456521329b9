import { exists, t } from 'i18next'
import { InvalidResponseError } from '#shared/check-json'
import { ApiError, BadResponseError, NetworkError } from '#shared/client/client'
import { formatCountdown } from './format.js'
import { language } from './i18n.js'
import { OutdatedError } from './lazy-part.js'

/** Texts for responses without a message, such as responses of a proxy. */
const BY_STATUS: Record<number, string> = {
  401: 'auth.required',
  403: 'request.method_not_allowed',
  404: 'request.not_found',
  408: 'request.timeout',
  413: 'request.too_large',
  502: 'server.busy',
  503: 'server.busy',
  504: 'server.busy',
}

/**
 * The translated error text, the message of the server when there is no translation, or else a text for the status.
 * `left`: seconds until the request can be sent again.
 */
export function errorMessage(error: unknown, left?: number): string {
  if (error instanceof BadResponseError || error instanceof InvalidResponseError) return t('common:errors.server.error')
  if (error instanceof OutdatedError) return t('common:errors.outdated')
  if (!(error instanceof ApiError)) {
    const isUnreachable = error instanceof NetworkError || !navigator.onLine
    return t(isUnreachable ? 'common:errors.unreachable' : 'common:errors.unexpected')
  }
  const { code, error: reason, message, statusCode, retryAfter } = error.body
  if (code !== 'limit.reached' && exists(`common:errors.${code}`)) return t(`common:errors.${code}`)
  if (statusCode === 429) return tooMany(left ?? retryAfter)
  if (message !== reason) return message
  return t(`common:errors.${BY_STATUS[statusCode] ?? (statusCode < 500 ? 'request.invalid' : 'server.error')}`)
}

function tooMany(seconds = 0): string {
  if (seconds === 0) return t('common:errors.limit.reached')
  return t('common:errors.limit.reached-until', { time: formatCountdown(seconds, language) })
}
