import type { ReactNode } from 'react'
import { ShareLink } from './ShareLink.js'

interface Props {
  title: string
  hint?: string
  /** Next steps for the user. Default: a link to the form that creates a secret. */
  children?: ReactNode
}

/** Replaces an empty list. */
export function EmptyState({ title, hint, children = <ShareLink /> }: Props) {
  return (
    <div className="card centered" role="status">
      <p>
        <strong>{title}</strong>
      </p>
      {hint && <p className="hint">{hint}</p>}
      {children && <p>{children}</p>}
    </div>
  )
}
