/** Answers whatever is not under /api: the app's files, and its page for every screen. */
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Context, Middleware } from 'koa'
import { AppError } from '#core'
import { FILE_HEADERS, metaPolicy, pageHeaders, pagePolicy } from './headers.js'
import { negotiate } from './language.js'
import { fillShell, type ShellKind, shellKind } from './shell.js'
import type { Encoding, Site, SiteFile } from './site.js'

const SMALLEST_FIRST: Encoding[] = ['br', 'gzip']

/** How to answer one site. `forced`: the only language; empty: what the browser prefers. */
export function servePages(site: Site, publicUrl: string, forced: string): Middleware {
  const policy = pagePolicy(publicUrl, false)
  const headers = pageHeaders(policy)
  const isScreen = screenMatcher(site.routes)
  const shells = new Map<string, SiteFile['bodies']>()

  function shell(kind: ShellKind, language: string): SiteFile['bodies'] {
    const key = `${kind} ${language}`
    const made =
      shells.get(key) ??
      compress(fillShell(site.template, kind, { language, policy: metaPolicy(policy), words: wordsOf(language) }))
    shells.set(key, made)
    return made
  }

  const wordsOf = (language: string) => (namespace: string) =>
    JSON.parse(site.files.get(`/locales/${language}/${namespace}.json`)?.bodies.identity.toString() ?? '{}')

  return (ctx) => {
    const { method, path } = ctx
    if (method !== 'GET' && method !== 'HEAD') {
      ctx.set('Allow', 'GET, HEAD')
      throw new AppError('request.method_not_allowed')
    }
    const file = site.files.get(path)
    if (file) return sendFile(ctx, file)
    const language = forced || negotiate(ctx.acceptsLanguages(), site.languages)
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

function compress(html: string): SiteFile['bodies'] {
  const identity = Buffer.from(html)
  return { identity, br: brotliCompressSync(identity), gzip: gzipSync(identity) }
}
