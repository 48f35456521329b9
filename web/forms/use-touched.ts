import { type FocusEvent, useState } from 'react'

/**
 * The fields that the user has left for another field. A value that is still being typed is not reported as invalid,
 * and no message appears while the user clicks a button or a checkbox, because it would move that away from the
 * pointer.
 */
export function useTouched<Name extends string>() {
  const [touched, setTouched] = useState<ReadonlySet<Name>>(new Set())
  const handleBlur =
    (name: Name) =>
    ({ target, relatedTarget }: FocusEvent<HTMLInputElement>) => {
      const isField = relatedTarget instanceof HTMLInputElement && !/^(radio|checkbox)$/.test(relatedTarget.type)
      if (target.value !== '' && isField) setTouched(new Set([...touched, name]))
    }
  const clearTouched = () => setTouched(new Set())
  return { touched, handleBlur, clearTouched }
}
