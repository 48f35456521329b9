import { type ComponentType, lazy, Suspense } from 'react'
import { loadWords } from '../lib/i18n.js'
import { useLogin } from '../lib/session/session-store.js'

/** Only for those who are signed in, and never worth an error: without it a session just ends. */
const Prompt = lazy(
  (): Promise<{ default: ComponentType }> =>
    Promise.all([import('../features/auth/SessionPrompt.js'), loadWords('people')]).then(
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
