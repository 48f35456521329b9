import { useTranslation } from 'react-i18next'
import { Page } from '../../parts/Page.js'
import { useAccount } from './signed-in.js'

export default function Details() {
  const { t } = useTranslation('account')
  const { username } = useAccount()
  return <Page heading={t('greeting', { username })} title={t('title')} />
}
