import type { ComponentProps } from 'react'
import { Field } from './Field.js'

type Props = ComponentProps<'select'> & Omit<ComponentProps<typeof Field>, 'children'>

/** A labeled list of options. */
export function SelectField({ label, optional, hint, error, ...select }: Props) {
  return (
    <Field label={label} optional={optional} hint={hint} error={error}>
      {(control) => <select {...control} {...select} />}
    </Field>
  )
}
