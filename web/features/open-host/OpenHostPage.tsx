import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { Page } from '../../components/Page.js'
import { paths } from '../../lib/paths.js'

/** The home page of a server with the role `open`, and what it shows for every page that it does not have. */
export default function OpenHostPage() {
  const { t } = useTranslation('open-host')
  const isHome = useLocation().pathname === paths.home
  return (
    <Page
      centered
      heading={t(isHome ? 'heading' : 'elsewhere')}
      lede={t(isHome ? 'lede' : 'common:errors.request.wrong_role')}
    />
  )
}
