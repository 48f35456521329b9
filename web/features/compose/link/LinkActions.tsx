import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../components/CopyButton.js'
import { Icon } from '../../../components/Icon.js'

/** Copies and shares a link. With a `message` that contains it, copying that comes first. */
export function LinkActions({ link, message }: { link: string; message?: string }) {
  const { t } = useTranslation('compose')
  const canShare = navigator.canShare?.({ url: link }) ?? false
  return (
    <div className="actions halves">
      {message !== undefined && (
        <CopyButton primary text={message}>
          {t('message.copy')}
        </CopyButton>
      )}
      <CopyButton primary={message === undefined} text={link}>
        {t('link.copy')}
      </CopyButton>
      {canShare && (
        <button type="button" className="button" onClick={() => void navigator.share({ url: link }).catch(() => {})}>
          <Icon name="share" />
          {t('link.share')}
        </button>
      )}
    </div>
  )
}
