// Draws public/icon-*.png from public/icon.svg: `node scripts/draw-icons.mjs`. Run it when the logo changes; the
// pictures are committed.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const PUBLIC = join(import.meta.dirname, '../web/public')
const INK = '#ffffff'
const GROUND = '#4246c2'
/** Launchers cut off up to a fifth at each side: web app manifest, "maskable". */
const PICTURES = [
  { name: 'icon-192.png', size: 192, radius: '22%', mark: '66%' },
  { name: 'icon-512.png', size: 512, radius: '22%', mark: '66%' },
  { name: 'icon-maskable-512.png', size: 512, radius: '0', mark: '52%' },
]

const mark = readFileSync(join(PUBLIC, 'icon.svg'), 'utf8').replace(/stroke="#\w+"/, `stroke="${INK}"`)
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
for (const { name, size, radius, mark: width } of PICTURES) {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  const style = `margin:0;display:grid;place-items:center;height:100vh;background:${GROUND};border-radius:${radius}`
  const src = `data:image/svg+xml,${encodeURIComponent(mark)}`
  await page.setContent(
    `<html style="background:none"><body style="${style}"><img src="${src}" style="width:${width}"></body></html>`,
  )
  await page.screenshot({ path: join(PUBLIC, name), omitBackground: true })
  await page.close()
}
await browser.close()
