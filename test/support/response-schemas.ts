/** Compares responses of the API with the schemas of the route table. The server only removes unknown fields from them. */
import { isDeepStrictEqual } from 'node:util'
import { routes } from '#core/http/routes/index'

/** Every route, with limits as of an instance with defaults. */
export const ALL_ROUTES = routes({
  maxTextBytes: 2 ** 20,
  ttlMaxAnonymous: 604_800,
  ttlMaxUser: 604_800,
  passwordMin: 5,
  passwordMax: 50,
  maxFileBytes: 2 ** 20,
  maxFiles: 20,
  statsFor: 'anyone',
  version: '',
  publicUrl: 'https://secrets.example.org',
})

const table = ALL_ROUTES.map((route) => ({ route, pattern: new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}/?$`) }))

/** Throws if a successful response differs from the schema of its route, or contains a field that the schema does not list. */
export function assertMatchesSchema(
  method: string,
  url: string,
  { status, body }: { status: number; body: unknown },
): void {
  const [path = ''] = url.replace(/^\/api(\/v1)?/, '').split('?')
  const found = table.find(({ route, pattern }) => route.method === method && pattern.test(path))
  if (!found?.route.response || status !== found.route.status) return
  const parsed = found.route.response.safeParse(body)
  const name = `response of ${method} ${found.route.path}`
  if (!parsed.success) throw new Error(`${name}: ${JSON.stringify(parsed.error.issues)}`)
  if (!isDeepStrictEqual(parsed.data, body)) throw new Error(`${name}: has fields that its schema does not list`)
}
