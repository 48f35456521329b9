/** Serves everything outside /api: the files of the app, and an HTML page for every route. */
import type { Context, Middleware } from 'koa'
import { AppError, createLanguageNegotiator, direction } from '#core'
import type { EpochMs } from '#shared/epoch-ms'
import { fillTemplate, type PageKind, pageKind, templateName } from '#shared/page/html-template'
import { FILE_HEADERS, pageHeaders, pagePolicy, toMetaPolicy } from '#shared/page/page-headers'
import { type Asset, type Assets, compress, createAsset, type Encoding } from './assets.js'
import type { Branding } from './branding.js'
import { findPreviousAsset } from './previous-assets.js'
import { loadTranslations } from './translations.js'
import { createWebManifest, SHARE_PATH } from './web-manifest.js'

/** By size, smallest first. */
const COMPRESSED: Encoding[] = ['br', 'gzip']
const DISCARDED_BYTES = 2 ** 20

interface Options {
  assets: Assets
  branding: Branding
  publicUrl: string
  dataDir: string
  /** The only language; empty: the preferred language of the browser. */
  forceLanguage: string
  /** Files that are generated on their first request. */
  findGenerated(path: string): Promise<Asset> | undefined
  findCrawlerFile(path: string, now: EpochMs): Asset | undefined
}

export function servePages(options: Options): Middleware {
  const { assets, branding, publicUrl, forceLanguage } = options
  const policy = pagePolicy(publicUrl, false)
  const headers = { app: pageHeaders(policy, 'app'), lite: pageHeaders(policy, 'lite') }
  const negotiateLanguage = createLanguageNegotiator(assets.languages)
  const isPage = createRouteMatcher(assets.routes)
  const { renderPage, renderManifest } = createRenderer(assets, branding, toMetaPolicy(policy))

  return async (ctx) => {
    const { method, path } = ctx
    if (method !== 'GET' && method !== 'HEAD') {
      if (method === 'POST' && path === SHARE_PATH) return discardShared(ctx, publicUrl)
      // A 404 tells clients that this server does not support the protocol of this path.
      if (path.startsWith('/locales/add/')) throw new AppError('request.not_found')
      ctx.set('Allow', 'GET, HEAD')
      throw new AppError('request.method_not_allowed')
    }
    // Password managers open this path to change the password of a site.
    if (path === '/.well-known/change-password') return ctx.redirect(`${publicUrl}/account/security`)
    const file = await findFile(options, path)
    if (file) return sendFile(ctx, file)
    const language = forceLanguage || negotiateLanguage(ctx.get('Accept-Language'))
    if (path === '/manifest.webmanifest') {
      sendFile(ctx, await renderManifest(language))
      return ctx.vary('Accept-Language')
    }
    const kind = pageKind(path)
    ctx.set({ ...headers[templateName(kind)], 'Content-Language': language })
    // Search engines may index only the home page.
    if (path !== '/') ctx.set('X-Robots-Tag', 'noindex, nofollow, noarchive')
    ctx.status = isPage(path) ? 200 : 404
    ctx.type = 'text/html; charset=utf-8'
    sendBody(ctx, await renderPage(kind, language))
  }
}

/**
 * Shared content arrives here if the browser does not have the service worker yet. The body is not read: Node.js
 * discards a short body and closes the connection of a long one.
 */
function discardShared(ctx: Context, publicUrl: string): void {
  const from = ctx.get('Sec-Fetch-Site')
  if (from === 'cross-site' || from === 'same-site') throw new AppError('request.cross_site')
  if (!(ctx.request.length <= DISCARDED_BYTES)) ctx.set('Connection', 'close')
  ctx.redirect(publicUrl + SHARE_PATH)
  ctx.status = 303
}

async function findFile({ assets, branding, dataDir, findGenerated, findCrawlerFile }: Options, path: string) {
  const file = branding.files.get(path) ?? findCrawlerFile(path, Date.now())
  return file ?? (await (assets.find(path) ?? findGenerated(path) ?? findPreviousAsset(dataDir, path)))
}

/** Renders each page and manifest once per language. */
function createRenderer({ folder, templates }: Assets, branding: Branding, policy: string) {
  const pages = new Map<string, Promise<Asset['bodies']>>()
  const manifests = new Map<string, Promise<Asset>>()
  return {
    renderPage: (kind: PageKind, language: string) =>
      getOrCreate(pages, `${kind} ${language}`, async () => {
        const translations = await loadTranslations(folder, language)
        const values = { branding, language, direction: direction(language), policy, translations }
        return compress(Buffer.from(fillTemplate(templates[templateName(kind)], kind, values)))
      }),
    renderManifest: (language: string) =>
      getOrCreate(manifests, language, async () => {
        const manifest = createWebManifest(branding, language, await loadTranslations(folder, language))
        return createAsset('application/manifest+json; charset=utf-8', manifest)
      }),
  }
}

/** Does not keep a failed creation. */
function getOrCreate<T>(cache: Map<string, Promise<T>>, key: string, create: () => Promise<T>): Promise<T> {
  const cached = cache.get(key)
  if (cached) return cached
  const created = create()
  cache.set(key, created)
  created.catch(() => cache.delete(key))
  return created
}

/** Matches like the router in the page: ignores case and a trailing slash. */
export function createRouteMatcher(routes: string[]): (path: string) => boolean {
  const patterns = routes.map((route) => new RegExp(`^${route.replace(/:\w+/g, '[^/]+').replace(/\/$/, '')}/?$`, 'i'))
  return (path) => patterns.some((pattern) => pattern.test(path))
}

function sendFile(ctx: Context, { type, etag, isImmutable, bodies }: Asset): void {
  ctx.set({
    ...FILE_HEADERS,
    'Cache-Control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    ETag: etag,
  })
  ctx.status = 200
  ctx.type = type
  if (ctx.fresh) ctx.status = 304
  else sendBody(ctx, bodies)
}

/** Sends the smallest encoding that the browser accepts. Browsers list encodings without a preference. */
function sendBody(ctx: Context, bodies: Asset['bodies']): void {
  const encoding = COMPRESSED.find((each) => bodies[each] && ctx.acceptsEncodings(each)) ?? 'identity'
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding)
  ctx.body = bodies[encoding]
}
