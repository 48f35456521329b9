import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'

/** Attributes that the control inside a field must have. */
export interface ControlProps {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

interface Props {
  label: string
  optional?: boolean | undefined
  hint?: ReactNode
  error?: string | null | undefined
  children: (control: ControlProps) => ReactNode
}

/** A labeled control with a hint and an error. */
export function Field({ label, optional, hint, error, children }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>
        {label} {optional && <span className="optional">{t('field.optional')}</span>}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}
