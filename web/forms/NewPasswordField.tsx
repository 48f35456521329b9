import type { ComponentProps } from 'react'
import { Field } from './Field.js'
import { PasswordInput } from './PasswordInput.js'

type Props = Omit<ComponentProps<'input'>, 'children'> & Omit<ComponentProps<typeof Field>, 'children'>

/** Password managers offer to generate a new password of an account here. */
export function NewPasswordField({ label, optional, hint, error, ...input }: Props) {
  return (
    <Field label={label} optional={optional} hint={hint} error={error}>
      {(control) => <PasswordInput {...control} {...input} autoComplete="new-password" />}
    </Field>
  )
}
