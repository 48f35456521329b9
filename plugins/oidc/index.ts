/** Sign-in with one or several OpenID Connect providers. */
import { definePlugin } from '#core'
import { listProviders, options } from './oidc-options.js'
import { createOidcProvider } from './oidc-provider.js'

export default definePlugin({
  contract: 1,
  name: 'oidc',
  options,
  setup(values, { log }) {
    const providers = listProviders(values).map((provider) => createOidcProvider(provider, log))
    return { auth: () => providers }
  },
})
