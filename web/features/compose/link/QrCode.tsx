import { useTranslation } from 'react-i18next'
import { Icon } from '../../../components/Icon.js'
import { encodeQr, QrImage } from '../../../components/qr/QrImage.js'
import { downloadFile } from '../../../lib/download-file.js'

/** Pixels of a module in the PNG file. */
const MODULE_PIXELS = 8

/** A QR code of the link, rendered in the browser. */
export function QrCode({ text }: { text: string }) {
  const { t } = useTranslation('compose')
  const code = encodeQr(text)
  const { dark, size, path } = code

  const saveSvg = () =>
    downloadFile(
      'link.svg',
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`,
    )
  const savePng = () => {
    const canvas = Object.assign(document.createElement('canvas'), {
      width: size * MODULE_PIXELS,
      height: size * MODULE_PIXELS,
    })
    const paint = canvas.getContext('2d')
    if (!paint) return
    paint.fillStyle = '#fff'
    paint.fillRect(0, 0, canvas.width, canvas.height)
    paint.fillStyle = '#000'
    for (const { x, y } of dark) paint.fillRect(x * MODULE_PIXELS, y * MODULE_PIXELS, MODULE_PIXELS, MODULE_PIXELS)
    canvas.toBlob((picture) => picture && downloadFile('link.png', picture))
  }
  return (
    <div className="qr">
      <QrImage code={code} name={t('qr.name')} />
      <div className="actions">
        <button type="button" className="button" onClick={savePng}>
          <Icon name="download" />
          {t('qr.save-png')}
        </button>
        <button type="button" className="button" onClick={saveSvg}>
          <Icon name="download" />
          {t('qr.save-svg')}
        </button>
      </div>
    </div>
  )
}
