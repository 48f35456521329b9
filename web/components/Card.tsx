import { type ReactNode, type Ref, useId } from 'react'
import { Outcome, type OutcomeProps } from './Outcome.js'

interface Props {
  heading: string
  /** A button beside the heading. */
  action?: ReactNode
  /** Of the last action in the card. */
  outcome?: OutcomeProps
  /** With it or `ref`, scripts can move the focus to the heading. */
  id?: string
  ref?: Ref<HTMLElement>
  children?: ReactNode
}

/** A section of a page. */
export function Card({ heading, action, outcome, id, ref, children }: Props) {
  const headingId = useId()
  const title = (
    <h2 id={headingId} tabIndex={ref || id ? -1 : undefined}>
      {heading}
    </h2>
  )
  return (
    <section id={id} ref={ref} className="card" aria-labelledby={headingId}>
      {action ? (
        <div className="between">
          {title}
          {action}
        </div>
      ) : (
        title
      )}
      {outcome && <Outcome {...outcome} />}
      {children}
    </section>
  )
}
