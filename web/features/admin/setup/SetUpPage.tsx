import { useTranslation } from 'react-i18next'
import { Link } from '../../../components/Link.js'
import { Notice } from '../../../components/Notice.js'
import { Page } from '../../../components/Page.js'
import { paths } from '../../../lib/paths.js'
import { useSettings } from '../../../lib/settings.js'
import { SetUpForm } from './SetUpForm.js'

/** Creates the first administrator. It takes the code that the server printed. */
export default function SetUpPage() {
  const { t } = useTranslation('admin')
  const { settings } = useSettings()
  return (
    <Page heading={t('set-up.heading')} lede={settings.setUp && t('set-up.lede')}>
      {settings.setUp ? <SetUpForm /> : <SetUpDone />}
    </Page>
  )
}

function SetUpDone() {
  const { t } = useTranslation('admin')
  return (
    <>
      <Notice kind="info">{t('set-up.over')}</Notice>
      <p className="actions">
        <Link className="button primary" to={paths.signIn}>
          {t('set-up.sign-in')}
        </Link>
      </p>
    </>
  )
}
