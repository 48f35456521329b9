import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../components/CopyButton.js'
import { Lazy } from '../../../components/Lazy.js'
import { createLazyPart } from '../../../lib/lazy-part.js'

const qrCodePart = createLazyPart(() => import('./QrCode.js'))

interface Extra {
  label: string
  content: ReactNode
}

interface Props {
  link: string
  /** Contains the link. */
  message: string
  /** The page has another button that copies the message. */
  isMessageCopiedElsewhere?: boolean
  others?: Extra[]
  /** The index of the way that is shown at first: the message, the QR code, then the others. */
  first?: number | null
}

/** Buttons that show one of several ways to send a link. */
export function LinkExtras({ link, message, isMessageCopiedElsewhere = false, others = [], first = null }: Props) {
  const { t } = useTranslation('compose')
  const id = useId()
  const [shown, setShown] = useState(first)
  const extras: Extra[] = [
    { label: t('message.heading'), content: <Message text={message} isCopiedElsewhere={isMessageCopiedElsewhere} /> },
    { label: t('link.qr'), content: <Lazy part={qrCodePart}>{({ QrCode }) => <QrCode text={link} />}</Lazy> },
    ...others,
  ]
  return (
    <>
      <div className="segments">
        {extras.map(({ label }, index) => (
          <button
            key={label}
            type="button"
            className="button quiet"
            aria-expanded={shown === index}
            aria-controls={shown === index ? id : undefined}
            onClick={() => setShown(shown === index ? null : index)}
          >
            {label}
          </button>
        ))}
      </div>
      {shown !== null && (
        <div key={shown} id={id} className="stack">
          {extras[shown]?.content}
        </div>
      )}
    </>
  )
}

function Message({ text, isCopiedElsewhere }: { text: string; isCopiedElsewhere: boolean }) {
  const { t } = useTranslation('compose')
  return (
    <>
      <p className="message" dir="auto">
        {text}
      </p>
      {!isCopiedElsewhere && <CopyButton text={text}>{t('message.copy')}</CopyButton>}
    </>
  )
}
