import { type ReactNode, useId } from 'react'

interface Props {
  label: ReactNode
  /** Of the checkbox, for `useForm`. */
  name?: string
  hint?: string
  /** The current state, after the label. */
  state?: string | undefined
  checked: boolean
  disabled?: boolean
  onChange(checked: boolean): void
}

export function CheckField({ label, name, hint, state, checked, disabled, onChange }: Props) {
  const id = useId()
  const described = [state !== undefined && `${id}-state`, hint !== undefined && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <div className="check">
      <input
        id={id}
        type="checkbox"
        name={name}
        aria-describedby={described || undefined}
        checked={checked}
        disabled={disabled}
        onChange={({ target }) => onChange(target.checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>{' '}
        {state !== undefined && (
          <span className="badge" id={`${id}-state`}>
            {state}
          </span>
        )}
        {hint !== undefined && (
          <p className="hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}
