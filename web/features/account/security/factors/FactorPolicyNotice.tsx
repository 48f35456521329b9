import { useTranslation } from 'react-i18next'
import type { Factors } from '#shared/api'
import { Notice } from '../../../../components/Notice.js'
import { formatDateTime } from '../../../../lib/format-time.js'
import { language } from '../../../../lib/i18n.js'

/** When the account starts to need a second factor. Empty if it has one, or needs none. */
export function FactorPolicyNotice({ factors: { policy, graceEndsAt } }: { factors: Factors }) {
  const { t } = useTranslation('security')
  if (policy !== 'required' || graceEndsAt === null) return null
  const date = formatDateTime(graceEndsAt, language)
  const isOver = graceEndsAt <= Date.now()
  return (
    <Notice
      kind="warn"
      heading={isOver ? t('common:errors.auth.factor_enrolment_required') : t('required', { date })}
    />
  )
}
