/** State of the form that creates a secret. */
import { useRef, useState } from 'react'
import { copyAsync } from '../../lib/clipboard.js'
import { useSettings } from '../../lib/settings.js'
import type { CreateLink, Draft } from './create-link.js'
import type { ShownLink } from './created-link.js'
import type { Options } from './draft/draft-store.js'
import { useDraft } from './draft/draft-store.js'
import { useProblems } from './draft/use-problems.js'
import { type Problems, validateDraft } from './draft/validate-draft.js'
import type { UploadOptions } from './files/upload-files.js'
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
  const last = useRef<Attempt | null>(null)

  const change = (changed: Partial<Options>) => {
    draft.options = { ...options, ...changed }
    setOptions(draft.options)
    recheck()
  }

  async function send(watch: UploadOptions): Promise<void> {
    const { text, files } = draft
    last.current = reuseAttempt({ text, files, options, canNotify: settings.canNotify, store: draft }, last.current)
    const made = sendAttempt(last.current, watch)
    const copied = copyAsync(made.then(({ link }) => link))
    onCreated({ secret: await made, copied })
  }

  async function findProblems(error: unknown): Promise<Problems | null> {
    // Without it nothing was sent.
    const sender = senderPart.current()
    const found = sender?.toProblems(error) ?? null
    if (found?.ttl) {
      await sender?.endExpiredSession()
      reloadSettings()
    }
    return found
  }

  const draftForm = { attachments, problems, rejections, show, validate, send, findProblems }
  return { draftForm, options, change, recheck }
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
