import { type ComponentType, lazy, Suspense } from 'react'
import { loadWords } from '../i18n.js'
import { useLogin } from '../login.js'

/** Only for those who are signed in, and never worth an error: without it a session just ends. */
const Prompt = lazy(
  (): Promise<{ default: ComponentType }> =>
    Promise.all([import('../screens/people/SessionPrompt.js'), loadWords('people')]).then(
      ([prompt]) => prompt,
      () => ({ default: () => null }),
    ),
)

export function SessionWatch() {
  return (
    useLogin() && (
      <Suspense>
        <Prompt />
      </Suspense>
    )
  )
}
