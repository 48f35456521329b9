/** Reads the form of a request and finds the problems that keep it from being sent. */
import type { CreateRequest, PublicSettings } from '#shared/api'
import { allowsLifetime } from '#shared/lifetimes'
import { SUBMISSIONS_MAX, TITLE_MAX } from '#shared/limits'
import { type ExpiryOptions, ttlSeconds } from '../draft/expiry-options.js'
import { isIpRange } from '../draft/ip-range.js'

export interface RequestValues extends ExpiryOptions {
  title: string
  instructions: string
  submissions: string
  /** Empty: no limit. */
  megabytes: string
  allowedIp: string
  allowFiles: boolean
}

export type RequestPolicy = Pick<PublicSettings['policy'], 'lifetimes' | 'ttl' | 'files' | 'addressRequired'>

export type RequestField = 'title' | 'ttl' | 'submissions' | 'megabytes' | 'allowedIp'

const WEEK_S = 7 * 86_400
const BYTES_PER_MEGABYTE = 1e6
const MEGABYTES_MAX = 1e6

/** A week, or the default of the policy where that is not allowed. */
export const newRequestValues = ({ lifetimes, ttl, files }: RequestPolicy): RequestValues => ({
  title: '',
  instructions: '',
  ttl: allowsLifetime(lifetimes, WEEK_S) ? WEEK_S : ttl,
  amount: '2',
  unit: 'hour',
  submissions: '1',
  megabytes: '',
  allowedIp: '',
  allowFiles: files,
})

/** The fields that the server would refuse. */
export function invalidRequestFields(
  values: RequestValues,
  { lifetimes, addressRequired }: RequestPolicy,
): RequestField[] {
  const { title, submissions, megabytes, allowedIp } = values
  const ttl = ttlSeconds(values)
  const isValid: Record<RequestField, boolean> = {
    title: title.trim().length <= TITLE_MAX && !/\p{Cc}/u.test(title),
    ttl: allowsLifetime(lifetimes, ttl),
    submissions: /^\d{1,9}$/.test(submissions) && Number(submissions) >= 1 && Number(submissions) <= SUBMISSIONS_MAX,
    megabytes: megabytes === '' || toBytes(megabytes) > 0,
    allowedIp: allowedIp.trim() === '' ? !addressRequired : isIpRange(allowedIp.trim()),
  }
  return (Object.keys(isValid) as RequestField[]).filter((name) => !isValid[name])
}

/** The part of the body of `POST /request` that does not depend on keys. Only for valid values. */
export function toRequestOptions(
  values: RequestValues,
): Omit<CreateRequest, 'recipient' | 'submit' | 'collect' | 'note'> {
  const { submissions, megabytes, allowFiles, allowedIp } = values
  return {
    ttl: ttlSeconds(values),
    maxSubmissions: Number(submissions),
    allowFiles,
    ...(megabytes !== '' && { maxBytes: toBytes(megabytes) }),
    ...(allowedIp.trim() !== '' && { allowedIp: allowedIp.trim() }),
  }
}

/** Accepts a decimal comma. NaN when it is not a number in range. */
function toBytes(megabytes: string): number {
  if (!/^\d{1,7}([.,]\d{1,6})?$/.test(megabytes)) return Number.NaN
  const value = Number(megabytes.replace(',', '.'))
  return value <= MEGABYTES_MAX ? Math.round(value * BYTES_PER_MEGABYTE) : Number.NaN
}
