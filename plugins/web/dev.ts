/** The app from its sources, through Vite in this process: for working on it. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Middleware } from 'koa'
import type { Brand } from './brand.js'
import { metaPolicy, pageHeaders, pagePolicy } from './headers.js'
import { legalTexts, type OwnTexts } from './legal.js'
import { fillShell, shellKind, templateOf, type Words } from './shell.js'

interface Parts {
  /** The folder of this file or of the bundle. */
  here: string
  publicUrl: string
  /** The language; English when it is empty. */
  forced: string
  brand: Brand
  own: OwnTexts
}

export async function serveSources({ here, publicUrl, forced, brand, own }: Parts) {
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
  const made = legalTexts({ folder: root, languages: [language], product: brand.site.product, own })

  const pages: Middleware = async (ctx) => {
    const file = brand.files.get(ctx.path) ?? (await made(ctx.path))
    if (file) {
      ctx.type = file.type
      ctx.body = file.bodies.identity
      return
    }
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
    const kind = shellKind(ctx.path)
    const name = templateOf(kind) === 'lite' ? 'lite.html' : 'index.html'
    const words = new Map<string, Words>()
    for (const namespace of ['common', 'home', 'lite']) {
      words.set(namespace, JSON.parse(await readFile(join(root, 'locales', language, `${namespace}.json`), 'utf8')))
    }
    const template = await vite.transformIndexHtml(ctx.path, await readFile(join(root, name), 'utf8'))
    ctx.set(pageHeaders(policy))
    ctx.type = 'text/html; charset=utf-8'
    ctx.body = fillShell(template, kind, {
      brand,
      language,
      policy: metaPolicy(policy),
      words: (name) => words.get(name) ?? {},
    })
  }
  return { pages, close: () => vite.close() }
}
