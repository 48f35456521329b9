/** State of the form that answers a request. */
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '#shared/client/client'
import { errorMessage } from '../../../lib/error-message.js'
import { useSettings } from '../../../lib/settings.js'
import { useAttachments, useProblems, validateDraft } from '../ComposePage.js'
import type { Attachment } from '../draft/attachments.js'
import { useDraft } from '../draft/draft-store.js'
import type { Problems } from '../draft/validate-draft.js'
import type { UploadStatus } from '../files/upload-files.js'
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
  const [failure, setFailure] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const [sent, setSent] = useState<UploadStatus | null>(null)
  const last = useRef<Attempt | null>(null)
  const abortController = useRef(new AbortController())
  // Leaving the page cancels the upload.
  useEffect(() => () => abortController.current.abort(), [])

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isBusy) return
    setFailure(null)
    const adding = attachments.adding()
    if (adding) {
      setBusy(true)
      // Otherwise files that were chosen a moment ago would be missing.
      if (!(await adding)) return setBusy(false)
    }
    if (!show(validate())) return setBusy(false)
    const { text, files } = draft
    setBusy(true)
    abortController.current = new AbortController()
    const { signal } = abortController.current
    // A retry of the same draft uses the same idempotency key, so that a lost response causes no second submission.
    if (last.current?.text !== text || last.current.files !== files) {
      last.current = { text, files, send: prepareSubmission({ text, files }, request) }
    }
    try {
      onSent((await last.current.send({ signal, onProgress: setSent })).expiresAt)
      draft.clear()
    } catch (error) {
      const problem = toProblems(error)
      if (problem) show(problem)
      else if (!signal.aborted) setFailure(error)
      setBusy(false)
      setSent(null)
    }
  }

  const cancel = () => abortController.current.abort()
  return { attachments, recheck, problems, rejections, failure, isBusy, sent, submit, cancel }
}

/** The field that the error belongs to; null when there is none. */
function toProblems(error: unknown): Problems | null {
  if (error instanceof Error && error.name === 'RangeError') return { text: { problem: 'invalid-character' } }
  if (error instanceof Error && error.name === 'UnreadableError') return { files: { problem: 'unreadable' } }
  if (!(error instanceof ApiError)) return null
  const { field } = error.body
  if (field === 'text' || field === 'files') return { [field]: { message: errorMessage(error) } }
  // Of a file that was to be uploaded.
  return field === 'size' ? { files: { message: errorMessage(error) } } : null
}
