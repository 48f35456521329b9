import { useTranslation } from 'react-i18next'
import { paths } from '../lib/paths.js'
import { Link } from './Link.js'

/** Leads to the form that creates a secret. */
export function ShareLink() {
  const { t } = useTranslation()
  return (
    <Link className="button primary" to={paths.home}>
      {t('share')}
    </Link>
  )
}
