import { lazy, Suspense, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { paths } from '../../lib/paths.js'
import { Composer } from './Composer.js'
import type { CreatedLink } from './created-link.js'
import { forget } from './draft-options.js'
import { loadCreated } from './load-created-page.js'

const Created = lazy(loadCreated)

interface Shown {
  secret: CreatedLink
  /** Whether the clipboard took the link. */
  copied: Promise<boolean>
}

/** The composer, then the link. The link is an entry of its own in the history, so that Back leads to an empty composer. */
export default function Home() {
  const navigate = useNavigate()
  const { state } = useLocation()
  const [shown, setShown] = useState<Shown | null>(null)
  const [visit, setVisit] = useState(0)

  useEffect(() => {
    // A page that comes back out of the browser's cache must not show what was on it.
    const wipe = () => {
      forget()
      setShown(null)
      setVisit((visit) => visit + 1)
    }
    addEventListener('pagehide', wipe)
    return () => removeEventListener('pagehide', wipe)
  }, [])

  if (shown && state?.isCreated) {
    return (
      <Suspense>
        <Created {...shown} onAnother={() => navigate(paths.home)} />
      </Suspense>
    )
  }
  const show = (secret: CreatedLink, copied: Promise<boolean>) => {
    forget()
    setShown({ secret, copied })
    navigate(paths.home, { state: { isCreated: true } })
  }
  return <Composer key={visit} onCreated={show} />
}
