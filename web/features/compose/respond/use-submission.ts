/** State of the form that answers a request. */
import { useRef } from 'react'
import { ApiError } from '#shared/client/client'
import { errorMessage } from '../../../lib/error-message.js'
import { useSettings } from '../../../lib/settings.js'
import { useAttachments, useProblems, validateDraft } from '../ComposePage.js'
import type { Attachment } from '../draft/attachments.js'
import { useDraft } from '../draft/draft-store.js'
import type { Problems } from '../draft/validate-draft.js'
import type { UploadOptions } from '../files/upload-files.js'
import { prepareSubmission, type SendSubmission } from './prepare-submission.js'
import type { AnsweredRequest } from './use-respond.js'

interface Attempt {
  text: string
  files: Attachment[]
  send: SendSubmission
}

export function useSubmission(request: AnsweredRequest, onSent: (expiresAt: number) => void) {
  const { limits } = useSettings().settings
  const draft = useDraft()
  const validate = () => validateDraft(draft.text, draft.files, { ...draft.options, ttl: limits.ttlMin }, limits)
  const { problems, rejections, show, recheck } = useProblems(validate)
  const attachments = useAttachments(recheck)
  const last = useRef<Attempt | null>(null)

  async function send(watch: UploadOptions): Promise<void> {
    const { text, files } = draft
    // A retry of the same draft uses the same idempotency key, so that a lost response causes no second submission.
    if (last.current?.text !== text || last.current.files !== files) {
      last.current = { text, files, send: prepareSubmission({ text, files }, request) }
    }
    onSent((await last.current.send(watch)).expiresAt)
    draft.clear()
  }

  return { draftForm: { attachments, problems, rejections, show, validate, send, findProblems }, recheck }
}

function findProblems(error: unknown): Problems | null {
  if (error instanceof Error && error.name === 'RangeError') return { text: { problem: 'invalid-character' } }
  if (error instanceof Error && error.name === 'UnreadableError') return { files: { problem: 'unreadable' } }
  if (!(error instanceof ApiError)) return null
  const { field } = error.body
  if (field === 'text' || field === 'files') return { [field]: { message: errorMessage(error) } }
  // Of a file that was to be uploaded.
  return field === 'size' ? { files: { message: errorMessage(error) } } : null
}
