import { type FocusEvent, useState } from 'react'

/**
 * Which fields somebody has left for another one. What is still being typed is not wrong yet, and what would appear while
 * somebody presses a button or a box would push it away from the pointer.
 */
export function useVisited<Name extends string>() {
  const [visited, setVisited] = useState<ReadonlySet<Name>>(new Set())
  const leave =
    (name: Name) =>
    ({ target, relatedTarget }: FocusEvent<HTMLInputElement>) => {
      const isField = relatedTarget instanceof HTMLInputElement && !/^(radio|checkbox)$/.test(relatedTarget.type)
      if (target.value !== '' && isField) setVisited(new Set([...visited, name]))
    }
  return { visited, setVisited, leave }
}
