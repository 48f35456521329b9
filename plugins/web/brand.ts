/** What the operator decided about the looks, checked at the start and made into files. */
import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { wholeNumber, z } from '#core'
import type { Site, SiteLink } from '#shared/site'
import { coloursOf, HUE, stylesheetOf, tooClose } from './colours.js'
import { isSafe } from './safe-address.js'
import { fileOf, type SiteFile } from './site.js'

const LOGO_BYTES = 256 * 1024
const LOGOS: Record<string, { type: string; begins: RegExp }> = {
  '.svg': { type: 'image/svg+xml', begins: /^\s*(<\?xml|<!--|<svg)/ },
  '.png': { type: 'image/png', begins: /^\x89PNG\r\n/ },
}

const line = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^\P{Cc}*$/u, 'must be one line')
const links = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(',').flatMap((part) => part.trim() || []) : value),
  z.array(z.string().transform(toLink)).max(12),
)

/** Options of the web plugin that change what it looks like. */
export const brandOptions = {
  productName: line(40).min(1).default('Mayfly').describe('what the instance is called'),
  logoFile: z
    .string()
    .default('')
    .describe('SVG or PNG file in the place of the logo; a relative path is inside dataDir'),
  hue: wholeNumber(0, 360).default(HUE).describe('hue of buttons, links and greys, in degrees of OKLCH'),
  footerLinks: links
    .default([])
    .describe('further links of the footer, such as "Imprint https://example.org/imprint", in order'),
  sourceUrl: z
    .string()
    .refine((href) => href === '' || (/^https?:/.test(href) && isSafe(href)), 'must be an http(s) address')
    .default('')
    .describe('where the source code is, for the footer; empty: not said'),
  notice: line(500).default('').describe('a notice above the form of the first page'),
}

export type BrandOptions = z.output<z.ZodObject<typeof brandOptions>>

export interface Brand {
  site: Site
  /** By address without the base. */
  files: Map<string, SiteFile>
  hasOwnColours: boolean
  /** Of the bar at the top, for browsers that paint their own. */
  themeColour: { light: string; dark: string }
}

/** `base`: the path of the instance's public address. Throws when a file or a colour is not fit for use. */
export async function readBrand(options: BrandOptions, base: string, dataDir: string): Promise<Brand> {
  const colours = coloursOf(options.hue)
  const problems = tooClose(colours)
  if (problems.length > 0)
    throw new Error(`the option "hue" gives colours that people cannot tell apart: ${problems[0]}`)
  const files = new Map<string, SiteFile>()
  const hasOwnColours = options.hue !== HUE
  if (hasOwnColours) files.set('/brand.css', fileOf('text/css; charset=utf-8', Buffer.from(stylesheetOf(colours))))
  const logo = options.logoFile === '' ? null : await readLogo(resolve(dataDir, options.logoFile))
  if (logo) files.set(logo.address, logo.file)
  return {
    site: {
      base,
      product: options.productName,
      logo: logo && base + logo.address,
      links: options.footerLinks,
      notice: options.notice,
      source: options.sourceUrl,
    },
    files,
    hasOwnColours,
    themeColour: colours.surface as Brand['themeColour'],
  }
}

/** An image alone runs no scripts, and its own policy forbids them to whoever opens it as a page. */
async function readLogo(path: string): Promise<{ address: string; file: SiteFile }> {
  const extension = extname(path).toLowerCase()
  const kind = LOGOS[extension]
  if (!kind) throw new Error('the option "logoFile" takes a file that ends in .svg or .png')
  const body = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`the option "logoFile": the file could not be read (${error.code})`)
  })
  if (body.length > LOGO_BYTES) throw new Error('the option "logoFile": the file is larger than 256 kB')
  if (
    !kind.begins.test(
      body
        .subarray(0, 200)
        .toString('latin1')
        .replace(/^\xef\xbb\xbf/, ''),
    )
  )
    throw new Error(`the option "logoFile": the file is not what its name says`)
  return { address: `/logo${extension}`, file: fileOf(kind.type, body) }
}

/** `Label https://...`: the address is what comes last. */
function toLink(text: string, ctx: z.RefinementCtx): SiteLink {
  const [, label, href = ''] = /^(\P{Cc}{1,60}?)\s+(\S+)$/u.exec(text) ?? []
  if (label !== undefined && isSafe(href)) return { label, href }
  ctx.addIssue({ code: 'custom', message: 'must be a label and an address that starts with https://, mailto: or /' })
  return z.NEVER
}
