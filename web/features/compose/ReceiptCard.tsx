import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../components/CopyButton.js'

/** The receipt link of a new secret. */
export function ReceiptCard({ link }: { link: string }) {
  const { t } = useTranslation('home')
  const id = useId()
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{t('receipt.link')}</h2>
      <p className="hint">{t('receipt.keep')}</p>
      <code className="link-box">{link}</code>
      <CopyButton text={link}>{t('receipt.copy')}</CopyButton>
    </section>
  )
}
