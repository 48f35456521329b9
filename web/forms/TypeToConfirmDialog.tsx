import { type ReactNode, useState } from 'react'
import { FormDialog } from './FormDialog.js'
import { InputField } from './InputField.js'
import { useFormDialog } from './use-form-dialog.js'

interface Props {
  /** The text that the user has to type, in lower case. Case does not matter. */
  name: string
  heading: string
  explanation: ReactNode
  label: string
  /** Shown when anything else was typed. */
  mismatch: string
  cancelLabel: string
  submitLabel: string
  busyLabel: string
  /** Fields in `children` that show an error of the server themselves. */
  serverFields?: string[]
  /** When it rejects, the dialog shows the error. */
  onConfirmed(): Promise<unknown>
  onClosed(): void
  /** Shown after the field of the name. `error`: what `onConfirmed` rejected with; null for none. */
  children?(error: unknown): ReactNode
}

/** Makes the user type a name before something is deleted for good. */
export function TypeToConfirmDialog(props: Props) {
  const { name, label, mismatch, serverFields = [], onConfirmed, children, ...dialog } = props
  const [typed, setTyped] = useState('')
  const form = useFormDialog<'typed-name'>({
    invalid: typed.trim().toLowerCase() === name ? [] : ['typed-name'],
    serverFields,
    async send() {
      await onConfirmed()
    },
  })
  return (
    <FormDialog isDangerous form={form} {...dialog}>
      <InputField
        label={label}
        error={form.isInvalid('typed-name') ? mismatch : null}
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      {children?.(form.error)}
    </FormDialog>
  )
}
