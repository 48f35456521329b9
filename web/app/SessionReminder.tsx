import { loadNamespace } from '../lib/i18n.js'
import { createLazyPart } from '../lib/lazy-part.js'
import { useSession } from '../lib/session/session-store.js'
import { useLazyPart } from '../lib/use-lazy-part.js'

const promptPart = createLazyPart(async () => {
  const [prompt] = await Promise.all([import('../features/auth/SessionPrompt.js'), loadNamespace('auth')])
  return prompt
})

export function SessionReminder() {
  return useSession() && <LoadedPrompt />
}

/** When it cannot be loaded there is no error: the session then ends without a reminder. */
function LoadedPrompt() {
  const { module } = useLazyPart(promptPart)
  return module && <module.default />
}
