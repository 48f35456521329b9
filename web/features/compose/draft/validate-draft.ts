/** Reads the options of a draft and finds the problems that keep it from being sent. */
import type { PublicSettings } from '#shared/api'
import { allowsLifetime } from '#shared/lifetimes'
import { PASSWORD_MAX, TITLE_MAX } from '#shared/limits'
import { type Attachment, type AttachmentProblem, findAttachmentProblem } from './attachments.js'
import type { Options } from './draft-store.js'
import { ttlSeconds } from './expiry-options.js'
import { isIpRange } from './ip-range.js'

type Limits = PublicSettings['limits']
type Policy = PublicSettings['policy']

/** The same names as in the API. */
export type FieldName = 'text' | 'files' | 'ttl' | 'maxViews' | 'password' | 'title' | 'allowedIp'
export type Problem =
  | ('empty' | 'empty-public' | 'too-large' | 'invalid-character')
  | (AttachmentProblem | 'unreadable')
  | ('out-of-range' | 'too-long' | 'not-an-address' | 'not-a-line' | 'required')
/** A problem of the field, or the text for an error of the server. */
export type Problems = Partial<Record<FieldName, { problem: Problem } | { message: string }>>

/** NaN when it is not a whole number. */
export const parseViews = ({ views }: Options): number => (/^\d{1,9}$/.test(views) ? Number(views) : Number.NaN)

/** Null: not limited. */
export const maxViewsOf = (options: Options): number | null =>
  options.isPublic || options.preventBurn ? null : parseViews(options)

/** The problems that the draft still has. No new ones: they are found when it is sent. */
export function remainingProblems(problems: Problems, found: Problems): Problems {
  const remaining = Object.entries(problems).filter(([field]) => field in found)
  return remaining.length === Object.keys(problems).length ? problems : Object.fromEntries(remaining)
}

/** `policy`: of the caller; absent for a submission, which has the limits of the request. */
export function validateDraft(
  text: string,
  files: Attachment[],
  options: Options,
  limits: Limits,
  policy?: Policy,
): Problems {
  const { password, title, allowedIp, isPublic } = options
  const ttl = ttlSeconds(options)
  const views = maxViewsOf(options)
  const fileProblem = findAttachmentProblem(files, isPublic, limits)
  return {
    ...(text === '' && files.length === 0 && { text: { problem: 'empty' } }),
    ...(text === '' && files.length > 0 && isPublic && { text: { problem: 'empty-public' } }),
    ...(fileProblem && { files: { problem: fileProblem } }),
    ...(new Blob([text]).size > limits.maxTextBytes && { text: { problem: 'too-large' } }),
    ...(!(ttl >= limits.ttlMin && ttl <= limits.ttlMax && (!policy || allowsLifetime(policy.lifetimes, ttl))) && {
      ttl: { problem: options.ttl === 'custom' ? 'out-of-range' : 'too-long' },
    }),
    ...(views !== null && !(views >= 1 && views <= limits.maxViews) && { maxViews: { problem: 'out-of-range' } }),
    ...((title.length > TITLE_MAX || /\p{Cc}/u.test(title)) && { title: { problem: 'not-a-line' } }),
    ...(policy?.passwordRequired && !password && { password: { problem: 'required' } }),
    ...(policy?.addressRequired && !allowedIp.trim() && { allowedIp: { problem: 'required' } }),
    ...(!isPublic && password.length > PASSWORD_MAX && { password: { problem: 'too-large' } }),
    ...(!isPublic &&
      allowedIp.trim() !== '' &&
      !isIpRange(allowedIp.trim()) && { allowedIp: { problem: 'not-an-address' } }),
  }
}
