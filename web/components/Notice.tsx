import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.js'

type Kind = 'good' | 'info' | 'warn' | 'bad'

const ICONS: Record<Kind, IconName> = { good: 'check', info: 'info', warn: 'alert', bad: 'alert' }

interface Props {
  kind: Kind
  /** `alert` interrupts a screen reader, `status` waits. None for a notice that is on the page from the start. */
  role?: 'alert' | 'status'
  heading?: ReactNode
  children?: ReactNode
}

export function Notice({ kind, role, heading, children }: Props) {
  return (
    <div className={`notice ${kind}`} role={role}>
      <Icon name={ICONS[kind]} />
      <div>
        {heading && <strong>{heading}</strong>}
        {children}
      </div>
    </div>
  )
}
