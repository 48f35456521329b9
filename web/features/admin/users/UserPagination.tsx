import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { Link } from '../../../components/Link.js'
import { number } from '../../../lib/format.js'
import { language } from '../../../lib/i18n.js'
import { PAGE_SIZES, queryOf, type Wanted } from './user-query.js'

interface Props {
  total: number
  shown: number
  wanted: Wanted
}

/** Which part of the list this is, and the ways to the others. */
export function Pager({ total, shown, wanted }: Props) {
  const { t } = useTranslation('admin')
  const navigate = useNavigate()
  const id = useId()
  const { skip, take } = wanted
  const range = { first: number(skip + 1, language), last: number(skip + shown, language) }
  return (
    <div className="between">
      <p className="hint" role="status">
        {shown > 0 ? t('users.range', { ...range, total: number(total, language) }) : t('users.none')}
      </p>
      {total > PAGE_SIZES[0] && (
        <nav className="actions pages" aria-label={t('users.pages')}>
          <label htmlFor={id} className="only-read">
            {t('users.page-size')}
          </label>
          <select
            id={id}
            value={take}
            onChange={({ target }) => void navigate(queryOf({ ...wanted, skip: 0, take: Number(target.value) }))}
          >
            {PAGE_SIZES.map((size) => (
              <option key={size} value={size}>
                {t('users.per-page', { size: number(size, language) })}
              </option>
            ))}
          </select>
          {skip > 0 && (
            <Link className="button" to={queryOf({ ...wanted, skip: Math.max(0, skip - take) })}>
              {t('users.previous')}
            </Link>
          )}
          {skip + shown < total && (
            <Link className="button" to={queryOf({ ...wanted, skip: skip + take })}>
              {t('users.next')}
            </Link>
          )}
        </nav>
      )}
    </div>
  )
}
