import { useTranslation } from 'react-i18next'
import { Link } from '../components/Link.js'
import { Page } from '../components/Page.js'
import { ShareLink } from '../components/ShareLink.js'
import { paths } from '../lib/paths.js'

/** Also shown for a page whose data does not exist: see ErrorPage. */
export default function NotFoundPage() {
  const { t } = useTranslation()
  return (
    <Page
      centered
      eyebrow={t('not-found.title')}
      heading={t('not-found.heading')}
      title={t('not-found.title')}
      lede={t('not-found.advice')}
    >
      <p className="actions">
        <ShareLink />
        <Link className="button" to={paths.apiDocs}>
          {t('not-found.api')}
        </Link>
      </p>
    </Page>
  )
}
