import { useTranslation } from 'react-i18next'
import { Icon } from '../../components/Icon.js'
import { downloadFile } from '../../lib/download-file.js'
import { formatBytes } from '../../lib/format.js'
import { language } from '../../lib/i18n.js'

/** A secret that is not text can only be downloaded. */
export function BinaryCard({ bytes, onSaved }: { bytes: Uint8Array<ArrayBuffer>; onSaved(): void }) {
  const { t } = useTranslation('reveal')
  const save = () => {
    downloadFile('secret.bin', bytes)
    onSaved()
  }
  return (
    <section className="card" aria-label={t('binary.heading')}>
      <h2>{t('binary.heading')}</h2>
      <p>{t('binary.explanation', { size: formatBytes(bytes.length, language) })}</p>
      <button type="button" className="button primary" onClick={save}>
        <Icon name="download" />
        {t('binary.save')}
      </button>
    </section>
  )
}
