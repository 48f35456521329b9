import { useTranslation } from 'react-i18next'
import { LegalPage } from './LegalPage.js'
import { loadLegalText } from './load-legal-text.js'

export const loader = () => loadLegalText('privacy')

export default function PrivacyPage() {
  const { t } = useTranslation('legal')
  return <LegalPage name={t('privacy')} />
}
