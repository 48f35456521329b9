import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../components/CopyButton.js'
import { Icon } from '../../components/Icon.js'

const QrCode = lazy(() => import('./QrCode.js'))

/** Copies and shares a link, and shows its QR code. */
export function LinkActions({ link }: { link: string }) {
  const { t } = useTranslation('home')
  const [hasQr, setQr] = useState(false)
  const canShare = navigator.canShare?.({ url: link }) ?? false
  return (
    <>
      <div className="actions">
        <CopyButton primary text={link}>
          {t('link.copy')}
        </CopyButton>
        {canShare && (
          <button type="button" className="button" onClick={() => void navigator.share({ url: link }).catch(() => {})}>
            <Icon name="share" />
            {t('link.share')}
          </button>
        )}
        <button type="button" className="button" aria-expanded={hasQr} onClick={() => setQr(!hasQr)}>
          <Icon name="qr" />
          {t('link.qr')}
        </button>
      </div>
      {hasQr && (
        <Suspense>
          <QrCode text={link} />
        </Suspense>
      )}
    </>
  )
}
