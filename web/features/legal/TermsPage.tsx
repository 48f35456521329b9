import { useTranslation } from 'react-i18next'
import { LegalPage } from './LegalPage.js'
import { loadLegalText } from './load-legal-text.js'

export const loader = () => loadLegalText('terms')

export default function TermsPage() {
  const { t } = useTranslation('legal')
  return <LegalPage name={t('terms')} />
}
