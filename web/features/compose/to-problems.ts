import { ApiError } from '#shared/client/client'
import { lookUp } from '#shared/look-up'
import type { Problem, Problems } from './draft/validate-draft.js'

/** The field that the error belongs to; null when there is none. */
export function toProblems(error: unknown): Problems | null {
  if (error instanceof Error && error.name === 'RangeError') return { text: { problem: 'invalid-character' } }
  if (error instanceof Error && error.name === 'UnreadableError') return { files: { problem: 'unreadable' } }
  if (!(error instanceof ApiError) || !error.body.field) return null
  const { field } = error.body
  const problem = lookUp(PROBLEMS, field)
  if (!problem) return null
  return { [field]: { problem: error.code === 'request.too_large' ? 'too-large' : problem } }
}

/** The problem of a field that the server refuses. The server's own message is in English only. */
const PROBLEMS: Record<string, Problem> = {
  text: 'invalid-character',
  ttl: 'too-long',
  maxViews: 'out-of-range',
  password: 'too-large',
  title: 'not-a-line',
  allowedIp: 'not-an-address',
}
