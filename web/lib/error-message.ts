import { exists, t } from 'i18next'
import { ApiError, NetworkError } from '#shared/client/client'
import { formatDuration } from './format.js'
import { language } from './i18n.js'

/** The translated error text, or the message of the server when there is no translation. */
export function errorMessage(error: unknown): string {
  if (error instanceof NetworkError) return t('common:errors.unreachable')
  if (!(error instanceof ApiError)) return t('common:errors.unexpected')
  const { code, message, statusCode } = error.body
  if (code === 'limit.reached') return tooMany(error)
  if (exists(`common:errors.${code}`)) return t(`common:errors.${code}`)
  return statusCode === 429 ? tooMany(error) : message
}

function tooMany({ body: { retryAfter } }: ApiError): string {
  if (retryAfter === undefined) return t('common:errors.limit.reached')
  return t('common:errors.limit.reached-until', { time: formatDuration(retryAfter, language) })
}
