import { useTranslation } from 'react-i18next'
import { paths } from '../lib/paths.js'
import { Link } from './Link.js'

/** In place of a list without anything in it: says so, and leads to where something is made. */
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
