import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { Lazy } from '../../components/Lazy.js'
import { paths } from '../../lib/paths.js'
import { Composer } from './Composer.js'
import { createdLinks, type ShownLink } from './created-link.js'
import { useDraft } from './draft/draft-store.js'
import { senderPart } from './sender-part.js'

// A page restored from the back/forward cache must not show a secret.
addEventListener('pagehide', () => createdLinks.clear())

// For pages with parts of this form: their imports from here stay in this chunk, which the first page preloads.
export { ComposeTabs } from './ComposeTabs.js'
export { DraftContext, DraftStore } from './draft/draft-store.js'
export { problemMessage } from './draft/problem-message.js'
export { useProblems } from './draft/use-problems.js'
export { validateDraft } from './draft/validate-draft.js'
export { ExpiryField } from './ExpiryField.js'
export { AttachField } from './files/AttachField.js'
export { fileSupportPart } from './files/file-support-part.js'
export { useAttachments } from './files/use-attachments.js'
export { SendForm } from './SendForm.js'
export { TextField } from './TextField.js'

/**
 * The form, then the created link. Each link has its own history entry: Back leads to an empty form, Forward to the
 * link.
 */
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
      <Lazy part={senderPart}>
        {({ CreatedPage }) => (
          <CreatedPage
            key={shown.secret.id}
            {...shown}
            onAnother={() => navigate(paths.home)}
            onChanged={(changed) => createdLinks.set(shown.secret.id, { ...shown, ...changed })}
          />
        )}
      </Lazy>
    )
  }
  const show = (created: ShownLink) => {
    draft.clear()
    createdLinks.set(created.secret.id, created)
    navigate(paths.home, { state: { created: created.secret.id } })
  }
  return <Composer key={formKey} onCreated={show} />
}
