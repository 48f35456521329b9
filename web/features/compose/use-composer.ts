/** What the composer's form does: hold the options, find problems, send, and tell what failed. */
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '#shared/client'
import { copyPromised } from '../../lib/clipboard.js'
import { useSettings } from '../../lib/settings.js'
import { type Draft, prepare, type Send } from './create-link.js'
import type { CreatedLink } from './created-link.js'
import { findProblems, kept, type Options, type Problems } from './draft-options.js'
import type { Sent } from './files/upload-files.js'
import { useAttached } from './files/use-attached-files.js'

interface Attempt extends Draft {
  send: Send
}

/** `onCreated` is told the link, and whether the clipboard takes it. */
export function useComposer(onCreated: (created: CreatedLink, copied: Promise<boolean>) => void) {
  const { settings } = useSettings()
  const attaching = useAttached()
  const [options, setOptions] = useState(kept.options)
  const [problems, setProblems] = useState<Problems>({})
  const [failure, setFailure] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const [sent, setSent] = useState<Sent | null>(null)
  const last = useRef<Attempt | null>(null)
  const canceller = useRef(new AbortController())
  // Whoever leaves the composer has given it up.
  useEffect(() => () => canceller.current.abort(), [])

  const change = (changed: Partial<Options>) => {
    kept.options = { ...options, ...changed }
    setOptions(kept.options)
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isBusy) return
    const { text, files } = kept
    const found = findProblems(text, files, options, settings.limits)
    setProblems(found)
    setFailure(null)
    if (Object.keys(found).length > 0) return
    setBusy(true)
    canceller.current = new AbortController()
    const { signal } = canceller.current
    last.current = attemptAt({ text, files, options }, last.current)
    const made = last.current.send({ signal, onProgress: setSent })
    const copied = copyPromised(made.then(({ link }) => link))
    try {
      onCreated(await made, copied)
    } catch (error) {
      const problem = problemOf(error)
      if (problem) setProblems(problem)
      else if (!signal.aborted) setFailure(error)
      setBusy(false)
      setSent(null)
    }
  }

  const cancel = () => canceller.current.abort()
  return { attaching, options, change, problems, failure, isBusy, sent, submit, cancel }
}

/** The same draft is sent again under the same name, so that a lost answer does not make two secrets. */
function attemptAt(draft: Draft, last: Attempt | null): Attempt {
  if (last?.text === draft.text && last.files === draft.files && last.options === draft.options) return last
  return { ...draft, send: prepare(draft) }
}

/** The field that is at fault, when the page has it. */
function problemOf(error: unknown): Problems | null {
  if (error instanceof Error && error.name === 'RangeError') return { text: { problem: 'half-character' } }
  if (error instanceof Error && error.name === 'UnreadableError') return { files: { problem: 'unreadable' } }
  if (!(error instanceof ApiError) || !error.body.field) return null
  const fields = ['text', 'ttl', 'maxViews', 'password', 'title', 'allowedIp']
  return fields.includes(error.body.field) ? { [error.body.field]: { message: error.message } } : null
}
