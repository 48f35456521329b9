import { lazy, Suspense, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { paths } from '../../lib/paths.js'
import { Composer } from './Composer.js'
import { createdLinks, type ShownLink } from './created-link.js'
import { useDraft } from './draft/draft-store.js'
import { loadSender } from './load-sender.js'

const CreatedPage = lazy(async () => ({ default: (await loadSender()).CreatedPage }))

// A page restored from the back/forward cache must not show a secret.
addEventListener('pagehide', () => createdLinks.clear())

// For pages with parts of this form: what they import from here stays in this chunk, which the first page preloads.
export { Failure, submitOnCtrlEnter, useFormFocus } from './Composer.js'
export { DraftContext, DraftStore } from './draft/draft-store.js'
export { problemMessage } from './draft/problem-message.js'
export { validateDraft } from './draft/validate-draft.js'
export { ExpiryField } from './ExpiryField.js'
export { AttachField } from './files/AttachField.js'
export { loadFileSupport } from './files/load-file-support.js'
export { useAttachments } from './files/use-attachments.js'
export { TextField } from './TextField.js'

/** The form, then the created link. Each link has its own history entry: Back leads to an empty form, Forward to the link. */
export default function ComposePage() {
  const draft = useDraft()
  const navigate = useNavigate()
  const { state } = useLocation()
  const [formKey, setFormKey] = useState(0)

  useEffect(() => {
    const clear = () => {
      draft.clear()
      setFormKey((key) => key + 1)
    }
    addEventListener('pagehide', clear)
    return () => removeEventListener('pagehide', clear)
  }, [draft])

  const shown = createdLinks.get(state?.created)
  if (shown) {
    return (
      <Suspense>
        <CreatedPage
          key={shown.secret.id}
          {...shown}
          onAnother={() => navigate(paths.home)}
          onBurned={() => createdLinks.set(shown.secret.id, { ...shown, isBurned: true })}
        />
      </Suspense>
    )
  }
  const show = (created: ShownLink) => {
    draft.clear()
    createdLinks.set(created.secret.id, created)
    navigate(paths.home, { state: { created: created.secret.id } })
  }
  return <Composer key={formKey} onCreated={show} />
}
