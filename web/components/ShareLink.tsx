import { useTranslation } from 'react-i18next'
import { paths } from '../lib/paths.js'
import { site } from '../lib/site.js'
import { Link } from './Link.js'

/** Leads to the form that creates a secret, where there is one. */
export function ShareLink({ isPrimary = true }: { isPrimary?: boolean }) {
  const { t } = useTranslation()
  if (site.role === 'open') return null
  return (
    <Link className={isPrimary ? 'button primary' : 'button'} to={paths.home}>
      {t('share')}
    </Link>
  )
}
