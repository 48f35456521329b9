import { useId } from 'react'

interface Props {
  label: string
  hint: string
  checked: boolean
  disabled?: boolean
  onChange(checked: boolean): void
}

export function CheckField({ label, hint, checked, disabled, onChange }: Props) {
  const id = useId()
  return (
    <div className="check">
      <input
        id={id}
        type="checkbox"
        aria-describedby={`${id}-hint`}
        checked={checked}
        disabled={disabled}
        onChange={({ target }) => onChange(target.checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      </div>
    </div>
  )
}
