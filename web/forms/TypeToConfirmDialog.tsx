import { type ReactNode, useState } from 'react'
import { Field } from './Field.js'
import { FormDialog } from './FormDialog.js'

interface Props {
  /** What has to be typed. Lower and upper case are one. */
  name: string
  heading: string
  explanation: ReactNode
  label: string
  /** Said of anything else. */
  otherName: string
  keep: string
  act: string
  busy: string
  /** Fields of `children` that say themselves why the server did not take them. */
  fields?: string[]
  /** When it rejects, the dialog says why. */
  onDelete(): Promise<void>
  onClosed(): void
  /** Asked for after the name. `failure`: null, or why it was not done. */
  children?(failure: unknown): ReactNode
}

/** Asks for the name of what nothing brings back before it is deleted. */
export function DeleteByName({ name, label, otherName, onDelete, children, ...dialog }: Props) {
  const [typed, setTyped] = useState('')
  const [wasTried, setTried] = useState(false)
  const isRight = typed.trim().toLowerCase() === name
  return (
    <FormDialog
      isDangerous
      {...dialog}
      check={() => {
        setTried(true)
        return isRight
      }}
      onSubmit={async () => {
        await onDelete()
        return true
      }}
    >
      {(failure) => (
        <>
          <Field label={label} error={wasTried && !isRight ? otherName : null}>
            {(control) => (
              <input
                {...control}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                dir="ltr"
                value={typed}
                onChange={({ target }) => setTyped(target.value)}
              />
            )}
          </Field>
          {children?.(failure)}
        </>
      )}
    </FormDialog>
  )
}
