import type { ReactNode } from 'react'
import { ErrorNotice } from '../../../../components/ErrorNotice.js'
import type { FactorActions, FactorSection } from './use-factor-actions.js'

interface Props {
  section: FactorSection
  heading: string
  actions: FactorActions
  children: ReactNode
}

/** A card with the outcome of its last action. */
export function FactorCard({ section, heading, actions, children }: Props) {
  const outcome = actions.outcomeOf(section)
  const headingId = `${section}-heading`
  return (
    <section id={section} className="card" aria-labelledby={headingId}>
      <h2 id={headingId} tabIndex={-1}>
        {heading}
      </h2>
      <p className="status" role="status">
        {outcome?.message}
      </p>
      <ErrorNotice error={outcome?.error ?? null} />
      {children}
    </section>
  )
}
