import { useTranslation } from 'react-i18next'
import { isolateLtr } from '../../lib/format.js'
import type { Options } from './draft/draft-store.js'

/** The options that are set, shown while the section is collapsed. */
export function ChosenOptions({ options, canNotify }: { options: Options; canNotify: boolean }) {
  const { t } = useTranslation('compose')
  const { title, allowedIp, preventBurn, isPublic, notify, receipt, recipients } = options
  const chosen = [
    title ? [t('title.label')] : [],
    allowedIp && !isPublic ? [isolateLtr(allowedIp)] : [],
    recipients?.trim() && !isPublic ? [t('recipients.label')] : [],
    preventBurn && !isPublic ? [t('keep.label')] : [],
    notify && canNotify ? [t('notify.label')] : [],
    receipt ? [t('receipt.label')] : [],
    isPublic ? [t('public.label')] : [],
  ]
  return chosen.flat().map((each) => (
    <span key={each} className="badge">
      {each}
    </span>
  ))
}
