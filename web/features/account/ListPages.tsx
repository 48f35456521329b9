import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { Pagination } from '../../components/Pagination.js'

/** The pages of a list of the account. */
export function ListPages(props: Pick<ComponentProps<typeof Pagination>, 'page' | 'query'>) {
  const { t } = useTranslation('account')
  return <Pagination {...props} label={t('secrets.pages')} previous={t('secrets.previous')} next={t('secrets.next')} />
}
