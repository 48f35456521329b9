import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { Link } from '../../../components/Link.js'
import { formatNumber } from '../../../lib/format.js'
import { language } from '../../../lib/i18n.js'
import { formatUserQuery, PAGE_SIZES, type UserQuery } from '../user-query.js'

interface Props {
  total: number
  shown: number
  query: UserQuery
}

/** The shown range, the page size and links to the other pages. */
export function UserPagination({ total, shown, query }: Props) {
  const { t } = useTranslation('admin')
  const navigate = useNavigate()
  const id = useId()
  const { skip, take } = query
  const range = { first: formatNumber(skip + 1, language), last: formatNumber(skip + shown, language) }
  return (
    <div className="between">
      <p className="hint" role="status">
        {shown > 0 ? t('users.range', { ...range, total: formatNumber(total, language) }) : t('users.none')}
      </p>
      {total > PAGE_SIZES[0] && (
        <nav className="actions pages" aria-label={t('users.pages')}>
          <label htmlFor={id} className="only-read">
            {t('users.page-size')}
          </label>
          <select
            id={id}
            value={take}
            onChange={({ target }) => void navigate(formatUserQuery({ ...query, skip: 0, take: Number(target.value) }))}
          >
            {PAGE_SIZES.map((size) => (
              <option key={size} value={size}>
                {t('users.per-page', { size: formatNumber(size, language) })}
              </option>
            ))}
          </select>
          {skip > 0 && (
            <Link className="button" to={formatUserQuery({ ...query, skip: Math.max(0, skip - take) })}>
              {t('users.previous')}
            </Link>
          )}
          {skip + shown < total && (
            <Link className="button" to={formatUserQuery({ ...query, skip: skip + take })}>
              {t('users.next')}
            </Link>
          )}
        </nav>
      )}
    </div>
  )
}
