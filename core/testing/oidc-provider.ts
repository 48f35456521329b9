/** A provider of OpenID Connect on the loopback, at which everybody signs in as one person without being asked. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export interface RunningProvider {
  issuer: string
  clientId: string
  clientSecret: string
  /** What it says of that person; change it between steps. */
  claims: Record<string, unknown>
  /** Goes there as a browser does and answers the address that it is led back to. */
  follow(url: URL): Promise<URL>
  close(): Promise<void>
}

export async function startProvider(redirectUris: string[]): Promise<RunningProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = { clientId: 'mayfly', clientSecret: 'a secret of a test' }
  const claims: Record<string, unknown> = { email: 'zoe@example.org', email_verified: true, preferred_username: 'zoe' }
  const provider = new Provider(issuer, {
    clients: [{ client_id: client.clientId, client_secret: client.clientSecret, redirect_uris: redirectUris }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['preferred_username', 'groups'] },
    findAccount: (_, id) => ({ accountId: id, claims: async () => ({ sub: id, ...claims }) }),
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    async loadExistingGrant(ctx) {
      const grant = new ctx.oidc.provider.Grant({
        clientId: ctx.oidc.client?.clientId as string,
        accountId: ctx.oidc.session?.accountId as string,
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  provider.use(async (ctx, next) => {
    if (!ctx.path.startsWith('/interaction/')) return next()
    await provider.interactionFinished(ctx.req, ctx.res, { login: { accountId: 'person-1' } })
    ctx.respond = false
  })
  server.on('request', provider.callback())
  return {
    issuer,
    ...client,
    claims,
    async follow(url) {
      const jar = new Map<string, string>()
      let at = url
      while (at.origin === issuer) {
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
        const answer = await fetch(at, { redirect: 'manual', headers: { cookie } })
        for (const set of answer.headers.getSetCookie()) {
          const [name = '', value = ''] = set.split(';')[0]?.split(/=(.*)/s) ?? []
          jar.set(name, value)
        }
        const location = answer.headers.get('location')
        if (location === null) throw new Error(`stuck at ${at.pathname}: ${answer.status}`)
        at = new URL(location, at)
      }
      return at
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
