import type { ComponentProps } from 'react'
import { CodeInput } from './CodeInput.js'
import { Field } from './Field.js'

type Props = ComponentProps<'input'> & Omit<ComponentProps<typeof Field>, 'children'>

/** A labeled text input. Browsers do not complete it, unless it says what it is for. */
export function InputField({ label, optional, hint, error, ...input }: Props) {
  return (
    <Field label={label} optional={optional} hint={hint} error={error}>
      {(control) => <input autoComplete="off" {...control} {...input} />}
    </Field>
  )
}

/** A labeled input for a key or an address. */
export function CodeField({ label, optional, hint, error, ...input }: Props) {
  return (
    <Field label={label} optional={optional} hint={hint} error={error}>
      {(control) => <CodeInput {...control} {...input} />}
    </Field>
  )
}
