import { useState } from 'react'
import { type Problems, remainingProblems } from './validate-draft.js'

/** The problems that a form shows. `validate` finds the problems of the current draft. */
export function useProblems(validate: () => Problems) {
  const [problems, setProblems] = useState<Problems>({})
  /** How often problems were found. Each time, the first of their fields gets the focus. */
  const [rejections, setRejections] = useState(0)
  /** Returns whether there are none. */
  const show = (found: Problems): boolean => {
    const isValid = isEmpty(found)
    // The same object while there are none, so that a form without problems is not rendered again.
    setProblems((shown) => (isValid && isEmpty(shown) ? shown : found))
    if (!isValid) setRejections((count) => count + 1)
    return isValid
  }
  /** Removes the problems that a change has solved. Finds no new ones: that happens when the draft is sent. */
  const recheck = () => setProblems((shown) => (isEmpty(shown) ? shown : remainingProblems(shown, validate())))
  return { problems, rejections, show, recheck }
}

const isEmpty = (problems: Problems): boolean => Object.keys(problems).length === 0
