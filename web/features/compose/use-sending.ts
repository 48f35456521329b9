/** Sends the draft of a form. */
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Problems } from './draft/validate-draft.js'
import type { UploadOptions, UploadStatus } from './files/upload-files.js'
import type { Attachments } from './files/use-attachments.js'
import { senderPart } from './sender-part.js'

export interface DraftForm {
  attachments: Attachments
  problems: Problems
  rejections: number
  /** Shows problems, and returns whether there are none. */
  show(found: Problems): boolean
  validate(): Problems
  /** Called in the task of the click, because Safari allows copying only there. */
  send(options: UploadOptions): Promise<void>
  /** The fields that an error of `send` belongs to; null when there are none. */
  findProblems(error: unknown): Problems | null | Promise<Problems | null>
}

export function useSending({ attachments, show, validate, send, findProblems }: DraftForm) {
  const [failure, setFailure] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const [sent, setSent] = useState<UploadStatus | null>(null)
  const abortController = useRef(new AbortController())
  // Leaving the page cancels the upload.
  useEffect(() => () => abortController.current.abort(), [])

  /** False: a file could not be added, or the user canceled. */
  async function waitForFiles(signal: AbortSignal): Promise<boolean> {
    setBusy(true)
    const isReady = (await attachments.adding()) === true && !signal.aborted
    if (!isReady) setBusy(false)
    return isReady
  }

  /** Without the fields of these options, none of them could get the focus. */
  async function waitForOptions(): Promise<void> {
    setBusy(true)
    await senderPart.load().catch(() => null)
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isBusy) return
    abortController.current = new AbortController()
    const { signal } = abortController.current
    setFailure(null)
    // Files that are still being read would be missing.
    if (attachments.adding() && !(await waitForFiles(signal))) return
    const found = validate()
    if (found.title || found.allowedIp) await waitForOptions()
    if (!show(found)) return setBusy(false)
    setBusy(true)
    try {
      await send({ signal, onProgress: setSent })
    } catch (error) {
      const problems = await findProblems(error)
      if (problems) show(problems)
      else if (!signal.aborted) setFailure(error)
      setBusy(false)
      setSent(null)
    }
  }

  return { failure, isBusy, sent, submit, cancel: () => abortController.current.abort() }
}
