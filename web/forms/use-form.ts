import { type ChangeEvent, type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '#shared/client/client'
import { errorMessage } from '../lib/error-message.js'
import { useSend } from './use-send.js'
import { useTouched } from './use-touched.js'

export interface FormOptions<Name extends string> {
  /** Names of the fields with invalid values. The form is sent only when there are none. */
  invalid: readonly Name[]
  /** When it rejects, the error is kept until the form is sent again. */
  send(): Promise<unknown>
  /** Last check before sending. False stops it, and `sendNow` sends without it. */
  confirm?(): boolean
  /** Names of the fields that show an error of the server themselves; `formError` is null for these. */
  serverFields?: readonly string[]
  /** Shown until the form is sent for the first time. */
  initialError?: unknown
}

export type Form<Name extends string> = ReturnType<typeof useForm<Name>>

/**
 * State of a form: validation, one submission at a time, and the focus on the first invalid field. The values stay with
 * the caller.
 */
export function useForm<Name extends string>(options: FormOptions<Name>) {
  const { invalid, send, confirm, serverFields = [], initialError = null } = options
  /** For the form element. */
  const ref = useRef<HTMLFormElement>(null)
  const { touched, handleBlur, clearTouched } = useTouched<Name>()
  const { sendNow, isSending, error, setError } = useSend(send, initialError)
  /** Submissions that were stopped by invalid values. */
  const [rejections, setRejections] = useState(0)
  const isSubmitted = rejections > 0
  const errorField = error instanceof ApiError ? error.body.field : undefined
  const isErrorAtField = errorField !== undefined && serverFields.includes(errorField)
  const isInvalid = (name: Name): boolean => invalid.includes(name) && (isSubmitted || touched.has(name))
  useFocusOnProblem(() => findField(ref.current, invalid), isSubmitted, rejections)
  useFocusOnProblem(() => findField(ref.current, [errorField ?? '']), isErrorAtField, error)

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    if (isSending) return
    if (invalid.length > 0) setRejections(rejections + 1)
    else if (confirm?.() ?? true) void sendNow()
  }
  function reset(): void {
    setRejections(0)
    setError(null)
    clearTouched()
  }
  return {
    ref,
    onSubmit,
    sendNow,
    reset,
    isSubmitted,
    isSending,
    /** The error of `send`; null for none. */
    error,
    formError: isErrorAtField ? null : error,
    /** The field that the server refused. */
    errorField,
    hasProblems: error !== null || (isSubmitted && invalid.length > 0),
    /** Whether the field shows that its value is invalid. */
    isInvalid,
    /** The error text of a field, or null. `invalidText`: for a value that the page or the server finds invalid. */
    fieldError(name: Name, invalidText: string): string | null {
      if (isInvalid(name)) return invalidText
      if (errorField !== name) return null
      // The message of the server is in English only.
      return error instanceof ApiError && error.code === 'request.invalid' ? invalidText : errorMessage(error)
    },
    inputProps: <Field extends Name, Values extends Record<Field, string>>(
      name: Field,
      values: Values,
      change: (values: Values) => void,
    ) => ({
      name,
      value: values[name] as string,
      onChange: ({ target }: ChangeEvent<HTMLInputElement>) => change({ ...values, [name]: target.value }),
      onBlur: handleBlur(name),
    }),
  }
}

/** Moves the focus each time that `occurrence` changes while there is a problem. */
function useFocusOnProblem(find: () => HTMLElement | null, hasProblem: boolean, occurrence: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `find` changes on every render and must not run the effect
  useEffect(() => {
    if (hasProblem) find()?.focus()
  }, [hasProblem, hasProblem && occurrence])
}

/** The first field with one of the names, or else the first field that is marked as invalid. */
function findField(form: HTMLFormElement | null, names: readonly string[]): HTMLElement | null {
  const fields = [...(form?.querySelectorAll<HTMLElement>('[name]') ?? [])]
  const named = fields.find((field) => names.includes(field.getAttribute('name') ?? ''))
  return named ?? form?.querySelector<HTMLElement>('[aria-invalid]') ?? null
}
