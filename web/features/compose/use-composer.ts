/** State of the form that creates a secret. */
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { copyAsync } from '../../lib/clipboard.js'
import { useSettings } from '../../lib/settings.js'
import type { CreateLink, Draft } from './create-link.js'
import type { ShownLink } from './created-link.js'
import type { Options } from './draft/draft-store.js'
import { useDraft } from './draft/draft-store.js'
import { useProblems } from './draft/use-problems.js'
import { validateDraft } from './draft/validate-draft.js'
import type { UploadOptions, UploadStatus } from './files/upload-files.js'
import { useAttachments } from './files/use-attachments.js'
import { senderPart } from './sender-part.js'

interface Attempt extends Draft {
  /** Null before the first try. */
  send: CreateLink | null
}

export function useComposer(onCreated: (created: ShownLink) => void) {
  const { settings, retry: reloadSettings } = useSettings()
  const draft = useDraft()
  const { limits, policy } = settings
  // Also after a sign-in: the policy may be another one.
  if (draft.options === draft.initial) {
    const { ttl, views } = policy
    draft.options = draft.initial = { ...draft.initial, ttl, views: `${views}` }
  }
  const [options, setOptions] = useState(draft.options)
  const validate = () => validateDraft(draft.text, draft.files, draft.options, limits, policy)
  const { problems, rejections, show, recheck } = useProblems(validate)
  const attachments = useAttachments(recheck)
  const [failure, setFailure] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const [sent, setSent] = useState<UploadStatus | null>(null)
  const last = useRef<Attempt | null>(null)
  const abortController = useRef(new AbortController())
  // Leaving the page cancels the upload.
  useEffect(() => () => abortController.current.abort(), [])

  const change = (changed: Partial<Options>) => {
    draft.options = { ...options, ...changed }
    setOptions(draft.options)
    recheck()
  }

  /** False: a file could not be added, or the user canceled. */
  async function waitForFiles(signal: AbortSignal): Promise<boolean> {
    setBusy(true)
    const isReady = (await attachments.adding()) === true && !signal.aborted
    if (!isReady) setBusy(false)
    return isReady
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isBusy) return
    abortController.current = new AbortController()
    const { signal } = abortController.current
    setFailure(null)
    // Wait for files that are still being read, or the link would miss them. Only in that case, because Safari allows
    // copying only in the task of the click.
    if (attachments.adding() && !(await waitForFiles(signal))) return
    if (!show(validate())) return setBusy(false)
    const { text, files } = draft
    setBusy(true)
    last.current = reuseAttempt({ text, files, options, canNotify: settings.canNotify, store: draft }, last.current)
    const made = sendAttempt(last.current, { signal, onProgress: setSent })
    const copied = copyAsync(made.then(({ link }) => link))
    try {
      onCreated({ secret: await made, copied })
    } catch (error) {
      // Without it nothing was sent.
      const sender = senderPart.current()
      const problem = sender?.toProblems(error)
      if (problem?.ttl) {
        await sender?.endExpiredSession()
        reloadSettings()
      }
      if (problem) show(problem)
      else if (!signal.aborted) setFailure(error)
      setBusy(false)
      setSent(null)
    }
  }

  const cancel = () => abortController.current.abort()
  return { attachments, options, change, recheck, problems, rejections, failure, isBusy, sent, submit, cancel }
}

/** A retry of the same draft uses the same idempotency key, so that a lost response does not create a second secret. */
function reuseAttempt(draft: Draft, last: Attempt | null): Attempt {
  if (last?.text === draft.text && last.files === draft.files && last.options === draft.options) return last
  return { ...draft, send: null }
}

async function sendAttempt(attempt: Attempt, options: UploadOptions): ReturnType<CreateLink> {
  const { prepareDraft } = await senderPart.load()
  attempt.send ??= prepareDraft(attempt)
  return attempt.send(options)
}
