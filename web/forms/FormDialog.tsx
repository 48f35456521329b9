import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { ApiError } from '#shared/client'
import { FailureNotice } from '../components/ErrorNotice.js'
import { useSubmit } from './use-form.js'

interface Props {
  heading: string
  explanation?: ReactNode
  /** The button that leaves everything as it is. */
  keep: string
  act: string
  busy: string
  isDangerous?: boolean
  /** Fields that say themselves why the server did not take them. */
  fields?: string[]
  /** False: something is wrong, and stands at its field. */
  check(): boolean
  /** True: done. False: the dialog stays. When it rejects, the dialog says why. */
  onSubmit(): Promise<boolean>
  onClosed(): void
  /** `failure`: null, or why it was not taken. */
  children(failure: unknown): ReactNode
}

/** A form over the page. Escape and the backdrop leave everything as it is; the focus goes back to where it was. */
export function FormDialog({
  heading,
  explanation,
  keep,
  act,
  busy,
  isDangerous,
  fields = [],
  check,
  onSubmit,
  onClosed,
  children,
}: Props) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const [refusals, setRefusals] = useState(0)
  const { submit, isBusy, failure } = useSubmit(async () => {
    if (await onSubmit()) dialog.current?.close()
  })
  const isAtField = failure instanceof ApiError && fields.includes(failure.body.field ?? '')
  useEffect(() => dialog.current?.showModal(), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that it is refused anew
  useEffect(() => {
    if (refusals > 0 || isAtField) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [refusals, isAtField && failure])
  const send = (event: FormEvent) => {
    if (check()) return void submit(event)
    event.preventDefault()
    setRefusals(refusals + 1)
  }
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      // A question that was asked above it closes, too.
      onClose={({ target }) => target === dialog.current && onClosed()}
      onMouseDown={(event) => event.target === dialog.current && dialog.current.close()}
    >
      <form ref={form} className="dialog stack" noValidate onSubmit={send}>
        <h2 id={id}>{heading}</h2>
        {explanation}
        <FailureNotice failure={isAtField ? null : failure} />
        {children(failure)}
        <div className="actions end">
          <button type="button" className="button" onClick={() => dialog.current?.close()}>
            {keep}
          </button>
          <button
            type="submit"
            className={isDangerous ? 'button danger solid' : 'button primary'}
            aria-disabled={isBusy}
          >
            {isBusy ? busy : act}
          </button>
        </div>
      </form>
    </dialog>
  )
}
