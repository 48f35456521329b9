import { lazy, Suspense, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { paths } from '../../lib/paths.js'
import { Composer } from './Composer.js'
import type { CreatedLink } from './created-link.js'
import { useDraft } from './draft/draft-store.js'
import { loadCreatedPage } from './load-created-page.js'

const CreatedPage = lazy(loadCreatedPage)

interface Shown {
  secret: CreatedLink
  /** Whether the link was copied. */
  copied: Promise<boolean>
}

/** The form, then the created link. The link has its own history entry, so that Back leads to an empty form. */
export default function ComposePage() {
  const draft = useDraft()
  const navigate = useNavigate()
  const { state } = useLocation()
  const [shown, setShown] = useState<Shown | null>(null)
  const [formKey, setFormKey] = useState(0)

  useEffect(() => {
    // A page restored from the back/forward cache must not show a secret.
    const clear = () => {
      draft.clear()
      setShown(null)
      setFormKey((key) => key + 1)
    }
    addEventListener('pagehide', clear)
    return () => removeEventListener('pagehide', clear)
  }, [draft])

  if (shown && state?.isCreated) {
    return (
      <Suspense>
        <CreatedPage {...shown} onAnother={() => navigate(paths.home)} />
      </Suspense>
    )
  }
  const show = (secret: CreatedLink, copied: Promise<boolean>) => {
    draft.clear()
    setShown({ secret, copied })
    navigate(paths.home, { state: { isCreated: true } })
  }
  return <Composer key={formKey} onCreated={show} />
}
