import { type ReactNode, useId } from 'react'
import { Dialog } from '../components/Dialog.js'
import { ErrorNotice } from '../components/ErrorNotice.js'
import type { FormDialogState } from './use-form-dialog.js'

interface Props {
  form: Pick<FormDialogState, 'dialog' | 'ref' | 'onSubmit' | 'isSending' | 'formError'>
  heading: string
  explanation?: ReactNode
  cancelLabel: string
  submitLabel: string
  /** On the submit button while the form is sent. */
  busyLabel: string
  isDangerous?: boolean
  /** False: the form cannot be sent, because what it shows is missing. */
  isReady?: boolean
  /** Whether that is being loaded. */
  isLoading?: boolean
  onClosed(): void
  children?: ReactNode
}

/** A form in a modal dialog. */
export function FormDialog(props: Props) {
  const {
    form,
    heading,
    explanation,
    cancelLabel,
    submitLabel,
    busyLabel,
    isDangerous,
    isReady = true,
    isLoading = false,
    onClosed,
    children,
  } = props
  const { dialog } = form
  const id = useId()
  return (
    <Dialog dialog={dialog} labelledBy={id} onClosed={onClosed}>
      <form ref={form.ref} className="dialog stack" noValidate onSubmit={form.onSubmit}>
        <h2 id={id}>{heading}</h2>
        {explanation}
        <ErrorNotice error={form.formError} />
        {children}
        <div className="actions end">
          <button type="button" className="button" onClick={() => dialog.current?.close()}>
            {cancelLabel}
          </button>
          <button
            type="submit"
            className={isDangerous ? 'button danger solid' : 'button primary'}
            aria-disabled={form.isSending || !isReady}
            aria-busy={isLoading}
          >
            {form.isSending ? busyLabel : submitLabel}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
