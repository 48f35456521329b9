/** Serves everything outside /api: the files of the app, and an HTML page for every route. */
import type { Context, Middleware } from 'koa'
import { AppError } from '#core'
import { fillTemplate, type PageKind, pageKind, templateName } from '#shared/page/html-template'
import { FILE_HEADERS, pageHeaders, pagePolicy, toMetaPolicy } from '#shared/page/page-headers'
import { type Asset, type Assets, compress, createAsset, type Encoding } from './assets.js'
import type { Branding } from './branding.js'
import { createLanguageNegotiator, direction } from './language.js'
import { createWebManifest } from './web-manifest.js'

/** By size, smallest first. */
const COMPRESSED: Encoding[] = ['br', 'gzip']

interface Options {
  assets: Assets
  branding: Branding
  publicUrl: string
  /** The only language; empty: the preferred language of the browser. */
  forceLanguage: string
  /** Files that are generated on their first request. */
  findGenerated(path: string): Promise<Asset> | undefined
}

export function servePages({ assets, branding, publicUrl, forceLanguage, findGenerated }: Options): Middleware {
  const policy = pagePolicy(publicUrl, false)
  const headers = pageHeaders(policy)
  const negotiateLanguage = createLanguageNegotiator(assets.languages)
  const isPage = createRouteMatcher(assets.routes)
  const { renderPage, renderManifest } = createRenderer(assets, branding, toMetaPolicy(policy))

  return async (ctx) => {
    const { method, path } = ctx
    if (method !== 'GET' && method !== 'HEAD') {
      // The protocol says so for this path, which other software of this kind offers.
      if (path.startsWith('/locales/add/')) throw new AppError('request.not_found')
      ctx.set('Allow', 'GET, HEAD')
      throw new AppError('request.method_not_allowed')
    }
    const file = branding.files.get(path) ?? assets.files.get(path) ?? (await findGenerated(path))
    if (file) return sendFile(ctx, file)
    const language = forceLanguage || negotiateLanguage(ctx.get('Accept-Language'))
    if (path === '/manifest.webmanifest') {
      sendFile(ctx, renderManifest(language))
      return ctx.vary('Accept-Language')
    }
    ctx.set({ ...headers, 'Content-Language': language })
    // Search engines may index only the home page.
    if (path !== '/') ctx.set('X-Robots-Tag', 'noindex, nofollow, noarchive')
    ctx.status = isPage(path) ? 200 : 404
    ctx.type = 'text/html; charset=utf-8'
    sendBody(ctx, renderPage(pageKind(path), language))
  }
}

/** Renders each page and manifest once per language. */
function createRenderer(assets: Assets, branding: Branding, policy: string) {
  const translationsOf = (language: string) => (namespace: string) =>
    JSON.parse(assets.files.get(`/locales/${language}/${namespace}.json`)?.bodies.identity.toString() ?? '{}')
  const pages = new Map<string, Asset['bodies']>()
  const manifests = new Map<string, Asset>()
  return {
    renderPage: (kind: PageKind, language: string) =>
      getOrCreate(pages, `${kind} ${language}`, () => {
        const values = {
          ...{ branding, language, direction: direction(language), policy },
          translations: translationsOf(language),
        }
        return compress(Buffer.from(fillTemplate(assets.templates[templateName(kind)], kind, values)))
      }),
    renderManifest: (language: string) =>
      getOrCreate(manifests, language, () => {
        const manifest = createWebManifest(branding, language, translationsOf(language))
        return createAsset('application/manifest+json; charset=utf-8', manifest)
      }),
  }
}

function getOrCreate<T>(cache: Map<string, T>, key: string, create: () => T): T {
  const value = cache.get(key) ?? create()
  cache.set(key, value)
  return value
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
