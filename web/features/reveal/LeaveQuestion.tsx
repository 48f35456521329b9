import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import type { EpochMs } from '#shared/epoch-ms'
import { UnsavedChangesDialog } from '../../components/UnsavedChangesDialog.js'
import { formatTime } from '../../lib/format.js'
import { language } from '../../lib/i18n.js'
import { hasUnsavedParts, type OpenedSecret } from './opened-secret.js'

/** Asks before the user leaves the page with the only copy of an opened secret, or during a download. */
export function LeaveQuestion({ opened }: { opened: OpenedSecret[] }) {
  const { t } = useTranslation('reveal')
  const reason = useSyncExternalStore(
    (listener) => {
      const stops = opened.map(({ subscribe }) => subscribe(listener))
      return () => {
        for (const stop of stops) stop()
      }
    },
    () => reasonToStay(opened),
  )
  if (reason === null) return null
  return (
    <UnsavedChangesDialog
      heading={t('common:leave.question')}
      explanation={explain(reason)}
      cancelLabel={t('common:leave.stay')}
      confirmLabel={t('common:leave.confirm')}
    />
  )

  function explain(reason: Reason): string {
    if (reason === 'transfer') return t('files:received.leave')
    return reason === 'lost' ? t('leave.lost') : t('leave.again', { time: formatTime(reason, language) })
  }
}

/** A time: all unsaved secrets can be opened again until then. `lost`: some cannot. */
type Reason = 'transfer' | 'lost' | EpochMs

function reasonToStay(opened: OpenedSecret[]): Reason | null {
  if (opened.some(({ state }) => state().isTransferring)) return 'transfer'
  const unsaved = opened.filter(hasUnsavedParts)
  if (unsaved.length === 0) return null
  const ends = unsaved.map(({ state }) => state().openableUntil)
  return ends.includes(null) ? 'lost' : Math.min(...ends.map(Number))
}
