import { useTranslation } from 'react-i18next'
import { Link } from '../../components/Link.js'
import { Notice } from '../../components/Notice.js'
import { paths } from '../../lib/paths.js'
import { useSettings } from '../../lib/settings.js'

/** Links to the set-up page as long as there is no admin. */
export function SetUpHint() {
  const { t } = useTranslation('auth')
  return (
    useSettings().settings.setUp && (
      <Notice kind="info">
        {t('set-up.none')} <Link to={paths.setUp}>{t('set-up.action')}</Link>
      </Notice>
    )
  )
}
