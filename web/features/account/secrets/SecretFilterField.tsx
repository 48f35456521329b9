import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { formatSecretFilter, parseSecretFilter, SECRET_FILTERS, type SecretFilter } from './secret-query.js'

/** Selects live or ended secrets. The URL holds the state. */
export function SecretFilterField({ filter }: { filter: SecretFilter }) {
  const { t } = useTranslation('account')
  const navigate = useNavigate()
  const id = useId()
  const show = (value: string) => {
    const query = formatSecretFilter(parseSecretFilter(new URLSearchParams({ state: value })))
    void navigate(`?${query.slice(0, -1)}`, { replace: true })
  }
  return (
    <search className="list-filter">
      <label htmlFor={id}>{t('history.show')}</label>
      <select id={id} value={filter} onChange={({ target }) => show(target.value)}>
        {SECRET_FILTERS.map((each) => (
          <option key={each} value={each}>
            {t(`history.${each}`)}
          </option>
        ))}
      </select>
    </search>
  )
}
