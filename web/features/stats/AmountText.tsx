import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.js'
import { language } from '../../lib/i18n.js'
import type { Amount } from './amounts.js'

/** `most`: the server stops counting there. */
export function AmountText({ amount, most }: { amount: Amount; most?: number }) {
  const { t } = useTranslation('stats')
  if (amount === null) return t('few')
  return amount === most ? t('at-least', { amount }) : formatNumber(amount, language)
}
