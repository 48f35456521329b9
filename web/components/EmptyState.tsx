import { useTranslation } from 'react-i18next'
import { paths } from '../lib/paths.js'
import { Link } from './Link.js'

/** Replaces an empty list. Links to the form that creates a secret. */
export function EmptyState({ title, hint }: { title: string; hint: string }) {
  const { t } = useTranslation()
  return (
    <div className="card centered">
      <p>
        <strong>{title}</strong>
      </p>
      <p className="hint">{hint}</p>
      <p>
        <Link className="button primary" to={paths.home}>
          {t('share')}
        </Link>
      </p>
    </div>
  )
}
