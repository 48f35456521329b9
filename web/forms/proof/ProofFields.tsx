import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { CodeInput } from '../CodeInput.js'
import { type ControlProps, Field } from '../Field.js'
import { HiddenUsername } from '../HiddenUsername.js'
import { PasswordInput } from '../PasswordInput.js'
import type { Form } from '../use-form.js'
import type { TypedMethod } from './proof-method.js'
import type { ProofMethods } from './use-proof-methods.js'

interface Props {
  methods: ProofMethods
  form: Pick<Form<TypedMethod>, 'ref' | 'fieldError' | 'errorField' | 'error' | 'reset'>
  /** For password managers. Empty: unknown. */
  username: string
}

/** The field of the chosen method. */
export function ProofFields({ methods: { typed, value, setValue }, form, username }: Props) {
  const { t } = useTranslation('proof')
  useFocusOnChange(form, typed)
  if (typed === null) return null
  return (
    <>
      {typed === 'password' && <HiddenUsername username={username} />}
      <Field
        key={typed}
        label={t(`field.${typed}`)}
        hint={typed === 'recovery-code' ? t('recovery-hint') : null}
        error={form.fieldError(typed, t(`missing.${typed}`))}
      >
        {(control) => <MethodInput control={control} method={typed} value={value} change={setValue} />}
      </Field>
    </>
  )
}

interface InputProps {
  control: ControlProps
  method: TypedMethod
  value: string
  change(value: string): void
}

function MethodInput({ control, method, value, change }: InputProps) {
  const input = {
    ...control,
    name: method,
    value,
    required: true,
    onChange: ({ target }: { target: HTMLInputElement }) => change(target.value),
  }
  if (method === 'password') return <PasswordInput {...input} autoComplete="current-password" />
  if (method === 'recovery-code') return <CodeInput {...input} />
  return <CodeInput {...input} autoComplete="one-time-code" inputMode="numeric" />
}

/** Moves the focus to the field of another method, and selects a value that the server refused. */
function useFocusOnChange({ ref, errorField, error }: Props['form'], typed: TypedMethod | null): void {
  const shown = useRef(typed)
  useEffect(() => {
    if (shown.current === typed) return
    shown.current = typed
    findInput(ref.current, typed)?.focus()
  }, [ref, typed])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per error
  useEffect(() => {
    if (errorField !== undefined) findInput(ref.current, errorField)?.select()
  }, [ref, error])
}

const findInput = (form: HTMLFormElement | null, name: string | null) =>
  form?.querySelector<HTMLInputElement>(`[name="${name}"]`)
