import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { ApiError } from '#shared/client/client'
import { accountPaths } from '../../../lib/account-paths.js'
import { unsubscribe } from '../account-api.js'
import { EmailLinkPage } from '../EmailLinkPage.js'

/** Turns notifications off. The link of a notification opens it, with a token after `#`. */
export default function UnsubscribePage() {
  const { t } = useTranslation('account')
  const token = decodeToken(useLocation().hash)
  return (
    <EmailLinkPage
      token={token}
      heading={t('notifications.off')}
      lede={t('notifications.explanation')}
      action={t('notifications.off')}
      act={async () => {
        await unsubscribe(token)
        return t('notifications.done')
      }}
      isBroken={(error) => error instanceof ApiError && error.status === 404}
      brokenText={t('notifications.broken')}
      next={{ to: accountPaths.settings, label: t('settings.heading') }}
    />
  )
}

/** Invalid encodings become an empty token, like a link without one. */
function decodeToken(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return ''
  }
}
