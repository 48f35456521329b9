import { useTranslation } from 'react-i18next'
import { encode } from 'uqr'
import { Icon } from '../../../components/Icon.js'
import { downloadFile } from '../../../lib/download-file.js'

/** Empty modules around the code, required by ISO/IEC 18004. */
const QUIET_ZONE = 4
/** Pixels of a module in the PNG file. */
const MODULE_PIXELS = 8

/** A QR code of the link, rendered in the browser. */
export function QrCode({ text }: { text: string }) {
  const { t } = useTranslation('compose')
  const { data, size } = encode(text, { border: QUIET_ZONE })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [{ x, y }] : [])))
  const path = dark.map(({ x, y }) => `M${x} ${y}h1v1h-1z`).join('')
  const viewBox = `0 0 ${size} ${size}`

  const saveSvg = () =>
    downloadFile(
      'link.svg',
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`,
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
      <svg viewBox={viewBox} role="img" aria-label={t('qr.name')} shapeRendering="crispEdges">
        <path d={path} />
      </svg>
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
