import type { ReactNode } from 'react'
import { Card } from '../../../../components/Card.js'
import type { FactorActions, FactorSection } from './use-factor-actions.js'

interface Props {
  section: FactorSection
  heading: string
  actions: FactorActions
  children: ReactNode
}

/** A card with the outcome of its last action. */
export function FactorCard({ section, heading, actions, children }: Props) {
  return (
    <Card id={section} heading={heading} outcome={actions.outcomeOf(section) ?? {}}>
      {children}
    </Card>
  )
}
