/** The app from its sources, through Vite in this process: for working on it. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Middleware } from 'koa'
import { metaPolicy, pageHeaders, pagePolicy } from './headers.js'
import { fillShell, shellKind, type Words } from './shell.js'

/** `here`: the folder of this file or of the bundle. Words are English unless `forced`. */
export async function serveSources(here: string, publicUrl: string, forced: string) {
  const root = [join(here, '../web'), join(here, '../../web')].find((place) =>
    existsSync(join(place, 'vite.config.ts')),
  )
  if (!root) throw new Error('the option "dev" needs the sources of the web app')
  const { createServer } = await import('vite')
  const vite = await createServer({
    configFile: join(root, 'vite.config.ts'),
    server: { middlewareMode: true },
    appType: 'custom',
    logLevel: 'warn',
  })
  const policy = pagePolicy(publicUrl, true)
  const language = forced || 'en'

  const pages: Middleware = async (ctx) => {
    // Koa starts from 404, Vite from what node:http starts from.
    ctx.res.statusCode = 200
    // Or the page may not start its worker.
    ctx.set('Cross-Origin-Embedder-Policy', 'require-corp')
    const isAnswered = await new Promise<boolean>((resolve) => {
      ctx.res.once('close', () => resolve(true))
      vite.middlewares(ctx.req, ctx.res, () => resolve(false))
    })
    if (isAnswered) {
      ctx.respond = false
      return
    }
    const words = new Map<string, Words>()
    for (const namespace of ['common', 'home']) {
      words.set(namespace, JSON.parse(await readFile(join(root, 'locales', language, `${namespace}.json`), 'utf8')))
    }
    const template = await vite.transformIndexHtml(ctx.path, await readFile(join(root, 'index.html'), 'utf8'))
    ctx.set(pageHeaders(policy))
    ctx.type = 'text/html; charset=utf-8'
    ctx.body = fillShell(template, shellKind(ctx.path), {
      language,
      policy: metaPolicy(policy),
      words: (name) => words.get(name) ?? {},
    })
  }
  return { pages, close: () => vite.close() }
}
