import { type ComponentType, lazy, Suspense } from 'react'
import { loadNamespace } from '../lib/i18n.js'
import { useSession } from '../lib/session/session-store.js'

/** Only for those who are signed in, and never worth an error: without it a session just ends. */
const Prompt = lazy(
  (): Promise<{ default: ComponentType }> =>
    Promise.all([import('../features/auth/SessionPrompt.js'), loadNamespace('people')]).then(
      ([prompt]) => prompt,
      () => ({ default: () => null }),
    ),
)

export function SessionReminder() {
  return (
    useSession() && (
      <Suspense>
        <Prompt />
      </Suspense>
    )
  )
}
