/** The operator's branding: options, logo and hue. */
import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { OperatorError, z } from '#core'
import manifest from '#package' with { type: 'json' }
import { lookUp } from '#shared/look-up'
import { createHueStylesheet, createThemeColor, DEFAULT_HUE } from '#shared/page/hue-colors'
import { isSafeUrl } from '#shared/page/safe-url'
import type { ProcessRole } from '#shared/process-role'
import type { Site, SiteLink } from '#shared/site'
import { type Asset, createAsset } from './assets.js'
import { hueOption } from './hue.js'
import { repositoryUrl } from './repository-url.js'

const MAX_LOGO_BYTES = 256 * 1024
/** By file extension. `signature`: the start of the file. */
const LOGO_TYPES: Record<string, { type: string; signature: RegExp }> = {
  '.svg': { type: 'image/svg+xml', signature: /^\s*(<\?xml|<!--|<svg)/ },
  '.png': { type: 'image/png', signature: /^\x89PNG\r\n/ },
}

const singleLine = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^\P{Cc}*$/u, 'must be one line')
const links = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(',').flatMap((part) => part.trim() || []) : value),
  z.array(z.string().transform(parseLink)).max(12),
)

/** Options of the web plugin for the branding. */
export const brandingOptions = {
  productName: singleLine(40).min(1).default('Mayfly').describe('name of the instance'),
  logoFile: z
    .string()
    .default('')
    .describe('SVG or PNG file that replaces the logo; a relative path is inside dataDir'),
  hue: hueOption,
  footerLinks: links
    .default([])
    .describe('additional footer links in order, such as "Imprint https://example.org/imprint"'),
  sourceUrl: z
    .string()
    .refine((href) => href === '' || (/^https?:/.test(href) && isSafeUrl(href)), 'must be an http(s) URL')
    .default(repositoryUrl(manifest))
    .describe('URL of the source code, for the footer; default: `repository` of the package; empty: no link'),
  notice: singleLine(500).default('').describe('notice above the form of the home page'),
}

export type BrandingOptions = z.output<z.ZodObject<typeof brandingOptions>>

export interface Branding {
  site: Site
  /** By path, without the base path. */
  files: Map<string, Asset>
  hasCustomHue: boolean
  /** Color of the browser's toolbar. */
  themeColor: { light: string; dark: string }
}

/** `base`: the path of the public URL. `role`: of the process. Throws when the logo cannot be used. */
export async function loadBranding(
  options: BrandingOptions,
  { base, role, dataDir }: { base: string; role: ProcessRole; dataDir: string },
): Promise<Branding> {
  const files = new Map<string, Asset>()
  const hasCustomHue = options.hue !== DEFAULT_HUE
  if (hasCustomHue) {
    files.set('/brand.css', createAsset('text/css; charset=utf-8', Buffer.from(createHueStylesheet(options.hue))))
  }
  const logo = options.logoFile === '' ? null : await loadLogo(resolve(dataDir, options.logoFile))
  if (logo) files.set(logo.path, logo.file)
  return {
    site: {
      base,
      product: options.productName,
      logo: logo && base + logo.path,
      links: options.footerLinks,
      notice: options.notice,
      role,
      source: options.sourceUrl,
    },
    files,
    hasCustomHue,
    themeColor: createThemeColor(options.hue),
  }
}

/** An SVG in an `img` element does not run scripts; opened as a page, its Content-Security-Policy forbids them. */
async function loadLogo(path: string): Promise<{ path: string; file: Asset }> {
  const extension = extname(path).toLowerCase()
  const kind = lookUp(LOGO_TYPES, extension)
  if (!kind) throw invalidLogo('must name a .svg or .png file')
  const body = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw invalidLogo(`the file could not be read (${error.code})`)
  })
  if (body.length > MAX_LOGO_BYTES) throw invalidLogo('the file is larger than 256 kB')
  if (
    !kind.signature.test(
      body
        .subarray(0, 200)
        .toString('latin1')
        .replace(/^\xef\xbb\xbf/, ''),
    )
  )
    throw invalidLogo(`the file is not a ${extension} image`)
  return { path: `/logo${extension}`, file: createAsset(kind.type, body) }
}

const invalidLogo = (problem: string) => new OperatorError(`the option "logoFile": ${problem}`, { isSetting: true })

/** Parses `Label https://...`: the URL is the last word. */
function parseLink(text: string, ctx: z.RefinementCtx): SiteLink {
  const [, label, href = ''] = /^(\P{Cc}{1,60}?)\s+(\S+)$/u.exec(text) ?? []
  if (label !== undefined && isSafeUrl(href)) return { label, href }
  ctx.addIssue({ code: 'custom', message: 'must be a label and a URL that starts with https://, mailto: or /' })
  return z.NEVER
}
