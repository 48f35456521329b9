/** What the composer's form does: hold the options, find problems, send, and tell what failed. */
import { type FormEvent, useRef, useState } from 'react'
import { ApiError } from '#shared/client'
import { copyPromised } from '../../clipboard.js'
import { useSettings } from '../../settings.js'
import { findProblems, kept, type Options, type Problems } from './draft.js'
import { type Created, prepare, type Send } from './send.js'

interface Attempt {
  text: string
  options: Options
  send: Send
}

/** `onCreated` is told the link, and whether the clipboard takes it. */
export function useComposer(onCreated: (created: Created, copied: Promise<boolean>) => void) {
  const { settings } = useSettings()
  const [options, setOptions] = useState(kept.options)
  const [problems, setProblems] = useState<Problems>({})
  const [failure, setFailure] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const last = useRef<Attempt | null>(null)

  const change = (changed: Partial<Options>) => {
    kept.options = { ...options, ...changed }
    setOptions(kept.options)
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isBusy) return
    const found = findProblems(kept.text, options, settings.limits)
    setProblems(found)
    setFailure(null)
    if (Object.keys(found).length > 0) return
    setBusy(true)
    last.current = attemptAt(kept.text, options, last.current)
    const made = last.current.send()
    const copied = copyPromised(made.then(({ link }) => link))
    try {
      onCreated(await made, copied)
    } catch (error) {
      const problem = problemOf(error)
      if (problem) setProblems(problem)
      else setFailure(error)
      setBusy(false)
    }
  }

  return { options, change, problems, failure, isBusy, submit }
}

/** The same draft is sent again under the same name, so that a lost answer does not make two secrets. */
function attemptAt(text: string, options: Options, last: Attempt | null): Attempt {
  if (last?.text === text && last.options === options) return last
  return { text, options, send: prepare(text, options) }
}

/** The field that is at fault, when the page has it. */
function problemOf(error: unknown): Problems | null {
  if (error instanceof Error && error.name === 'RangeError') return { text: { problem: 'half-character' } }
  if (!(error instanceof ApiError) || !error.body.field) return null
  const fields = ['text', 'ttl', 'maxViews', 'password', 'title', 'allowedIp']
  return fields.includes(error.body.field) ? { [error.body.field]: { message: error.message } } : null
}
