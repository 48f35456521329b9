import { type ComponentType, lazy, Suspense } from 'react'
import { loadNamespace } from '../lib/i18n.js'
import { useSession } from '../lib/session/session-store.js'

/** When it cannot be loaded there is no error: the session then ends without a reminder. */
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
