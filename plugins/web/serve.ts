/** Answers whatever is not under /api: the app's files, and its page for every screen. */
import type { Context, Middleware } from 'koa'
import { AppError } from '#core'
import type { Brand } from './brand.js'
import { FILE_HEADERS, metaPolicy, pageHeaders, pagePolicy } from './headers.js'
import { negotiate } from './language.js'
import { manifestOf } from './manifest.js'
import { fillShell, type ShellKind, shellKind, templateOf } from './shell.js'
import { compressed, type Encoding, fileOf, type Site, type SiteFile } from './site.js'

const SMALLEST_FIRST: Encoding[] = ['br', 'gzip']

interface Parts {
  site: Site
  brand: Brand
  publicUrl: string
  /** The only language; empty: what the browser prefers. */
  forced: string
  /** Files that are made when they are first asked for. */
  made(path: string): Promise<SiteFile> | undefined
}

/** How to answer one site. */
export function servePages({ site, brand, publicUrl, forced, made }: Parts): Middleware {
  const policy = pagePolicy(publicUrl, false)
  const headers = pageHeaders(policy)
  const isScreen = screenMatcher(site.routes)
  const shells = new Map<string, SiteFile['bodies']>()
  const manifests = new Map<string, SiteFile>()

  function shell(kind: ShellKind, language: string): SiteFile['bodies'] {
    const key = `${kind} ${language}`
    const blanks = { brand, language, policy: metaPolicy(policy), words: wordsOf(language) }
    const made = shells.get(key) ?? compressed(Buffer.from(fillShell(site.templates[templateOf(kind)], kind, blanks)))
    shells.set(key, made)
    return made
  }

  function manifest(language: string): SiteFile {
    const file =
      manifests.get(language) ??
      fileOf('application/manifest+json; charset=utf-8', manifestOf(brand, language, wordsOf(language)))
    manifests.set(language, file)
    return file
  }

  const wordsOf = (language: string) => (namespace: string) =>
    JSON.parse(site.files.get(`/locales/${language}/${namespace}.json`)?.bodies.identity.toString() ?? '{}')

  return async (ctx) => {
    const { method, path } = ctx
    if (method !== 'GET' && method !== 'HEAD') {
      ctx.set('Allow', 'GET, HEAD')
      throw new AppError('request.method_not_allowed')
    }
    const file = brand.files.get(path) ?? site.files.get(path) ?? (await made(path))
    if (file) return sendFile(ctx, file)
    const language = forced || negotiate(ctx.acceptsLanguages(), site.languages)
    if (path === '/manifest.webmanifest') {
      sendFile(ctx, manifest(language))
      return ctx.vary('Accept-Language')
    }
    ctx.set({ ...headers, 'Content-Language': language })
    // Only the first screen may be found by searching.
    if (path !== '/') ctx.set('X-Robots-Tag', 'noindex, nofollow, noarchive')
    ctx.status = isScreen(path) ? 200 : 404
    ctx.type = 'text/html; charset=utf-8'
    sendBody(ctx, shell(shellKind(path), language))
  }
}

/** True for the addresses of screens, with or without a slash at the end, in any case: as the router in the page sees it. */
export function screenMatcher(routes: string[]): (path: string) => boolean {
  const patterns = routes.map((route) => new RegExp(`^${route.replace(/:\w+/g, '[^/]+').replace(/\/$/, '')}/?$`, 'i'))
  return (path) => patterns.some((pattern) => pattern.test(path))
}

function sendFile(ctx: Context, { type, etag, isForever, bodies }: SiteFile): void {
  ctx.set({
    ...FILE_HEADERS,
    'Cache-Control': isForever ? 'public, max-age=31536000, immutable' : 'no-cache',
    ETag: etag,
  })
  ctx.status = 200
  ctx.type = type
  if (ctx.fresh) ctx.status = 304
  else sendBody(ctx, bodies)
}

/** The smallest form that the browser takes. It lists all it takes as equals, so the order is ours. */
function sendBody(ctx: Context, bodies: SiteFile['bodies']): void {
  const encoding = SMALLEST_FIRST.find((each) => bodies[each] && ctx.acceptsEncodings(each)) ?? 'identity'
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding)
  ctx.body = bodies[encoding]
}
