/** Signing in at any provider of OpenID Connect, or at several. */
import { definePlugin } from '#core'
import { options, providersOf } from './options.js'
import { oidcProvider } from './provider.js'

export default definePlugin({
  name: 'oidc',
  options,
  setup(given, { log }) {
    const providers = providersOf(given).map((each) => oidcProvider(each, log))
    return { auth: () => providers }
  },
})
