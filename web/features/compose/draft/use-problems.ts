import { useState } from 'react'
import { type Problems, remainingProblems } from './validate-draft.js'

/** The problems that a form shows. `validate`: finds those of the current draft. */
export function useProblems(validate: () => Problems) {
  const [problems, setProblems] = useState<Problems>({})
  /** How often problems were found. Each time, the first of their fields gets the focus. */
  const [rejections, setRejections] = useState(0)
  /** Returns whether there are none. */
  const show = (found: Problems): boolean => {
    setProblems(found)
    setRejections((count) => count + 1)
    return Object.keys(found).length === 0
  }
  /** Removes the problems that a change has solved. Finds no new ones: that happens when the draft is sent. */
  const recheck = () =>
    setProblems((shown) => (Object.keys(shown).length === 0 ? shown : remainingProblems(shown, validate())))
  return { problems, rejections, show, recheck }
}
