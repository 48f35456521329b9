/** Serves the app from its sources with Vite in this process, for development. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from 'koa'
import type { ViteDevServer } from 'vite'
import { direction } from '#core'
import { fillTemplate, pageKind, type Translations, templateName } from '#shared/page/html-template'
import { pageHeaders, pagePolicy, toMetaPolicy } from '#shared/page/page-headers'
import type { Branding } from './branding.js'
import { type CustomTexts, createLegalTexts } from './legal-texts.js'

const POLL_MS = 50

interface Options {
  /** The folder of this file or of the bundle. */
  here: string
  publicUrl: string
  /** Empty: English. */
  forceLanguage: string
  branding: Branding
  customTexts: CustomTexts
}

export async function createDevServer({ here, publicUrl, forceLanguage, branding, customTexts }: Options) {
  const root = findSources(here)
  const closing = new AbortController()
  let started: Promise<ViteDevServer> | null = null
  const startOnce = () => {
    started ??= startVite(root, publicUrl)
    return started
  }
  // The response shows the error of a failed start.
  waitForServer(publicUrl, closing.signal)
    .then(startOnce)
    .catch(() => {})
  const policy = pagePolicy(publicUrl, true)
  const language = forceLanguage || 'en'
  const product = branding.site.product
  const findGenerated = createLegalTexts({ folder: root, languages: [language], product, customTexts })

  async function pages(ctx: Context): Promise<void> {
    const file = branding.files.get(ctx.path) ?? (await findGenerated(ctx.path))
    if (file) {
      ctx.type = file.type
      ctx.body = file.bodies.identity
      return
    }
    const vite = await startOnce()
    if (await handleByVite(vite, ctx)) {
      ctx.respond = false
      return
    }
    const kind = pageKind(ctx.path)
    const texts: Record<string, Translations> = JSON.parse(
      await readFile(join(root, `locales/${language}.json`), 'utf8'),
    )
    const html = await readFile(join(root, templateName(kind) === 'lite' ? 'lite.html' : 'index.html'), 'utf8')
    const template = await vite.transformIndexHtml(ctx.path, html)
    ctx.set(pageHeaders(policy, 'app'))
    ctx.type = 'text/html; charset=utf-8'
    ctx.body = fillTemplate(template, kind, {
      branding,
      language,
      direction: direction(language),
      policy: toMetaPolicy(policy),
      translations: (namespace) => texts[namespace] ?? {},
    })
  }
  async function close(): Promise<void> {
    closing.abort()
    await (await started)?.close()
  }
  return { pages, close }
}

async function startVite(root: string, publicUrl: string): Promise<ViteDevServer> {
  const { createServer } = await import('vite')
  return createServer({
    configFile: join(root, 'vite.config.ts'),
    server: { middlewareMode: true, hmr: { port: hotUpdatePort(publicUrl) } },
    appType: 'custom',
    logLevel: 'warn',
  })
}

/**
 * Resolves when the server responds. After a restart, open pages reload as soon as Vite's own port is open, so that
 * port must be the later one. Rejects with the reason of the signal.
 */
async function waitForServer(publicUrl: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    await sleep(POLL_MS, null, { signal, ref: false })
    const response = await fetch(new URL('/healthz', publicUrl), { signal }).catch(() => null)
    if (response) return
  }
}

/**
 * A different port for most instances on a machine, and the same port after a restart, so that open pages reload. It is
 * below 32768, because systems use higher ports for outgoing connections.
 */
export function hotUpdatePort(publicUrl: string): number {
  const { port, protocol } = new URL(publicUrl)
  const own = Number(port) || (protocol === 'https:' ? 443 : 80)
  return own < 12_000 ? own + 20_000 : (own % 10_000) + 8_000
}

function findSources(here: string): string {
  const candidates = [join(here, '../web'), join(here, '../../web')]
  const root = candidates.find((path) => existsSync(join(path, 'vite.config.ts')))
  if (!root) throw new Error('the option "dev" needs the sources of the web app')
  return root
}

/** True when Vite has sent a response. */
function handleByVite(vite: ViteDevServer, ctx: Context): Promise<boolean> {
  // Koa starts with status 404, but Vite expects the default of node:http.
  ctx.res.statusCode = 200
  // Without this header, the page could not start its worker.
  ctx.set('Cross-Origin-Embedder-Policy', 'require-corp')
  return new Promise((resolve) => {
    ctx.res.once('close', () => resolve(true))
    vite.middlewares(ctx.req, ctx.res, () => resolve(false))
  })
}
