import type { ComponentProps } from 'react'
import { Field } from './Field.js'
import { PasswordInput } from './PasswordInput.js'

type Props = Omit<ComponentProps<'input'>, 'children'> & Omit<ComponentProps<typeof Field>, 'children'>

/** A labeled password. `autoComplete` tells password managers what it is for. */
export function PasswordField({ label, optional, hint, error, ...input }: Props) {
  return (
    <Field label={label} optional={optional} hint={hint} error={error}>
      {(control) => <PasswordInput {...control} {...input} />}
    </Field>
  )
}
