import type { App } from '../app.js'
import type { AuthProvider } from '../contracts/auth-provider.js'
import type { PublicSettings } from '../shared/api/index.js'
import { LOCAL } from './sign-in.js'

/** False when all accounts come from other providers. Users cannot sign up then. */
export const hasLocalPasswords = (app: App): boolean => app.providers().some(({ id }) => id === LOCAL)

export async function canSignUp(app: App): Promise<boolean> {
  if (!hasLocalPasswords(app)) return false
  const { disable_users, disable_user_account_creation } = await app.settings.current()
  return !disable_users && !disable_user_account_creation
}

/** The methods of the sign-in page, in order. All providers that check a password share one form. */
export function listSignInMethods(app: App): PublicSettings['providers'] {
  const providers = app.providers()
  const firstWithPassword = providers.find(({ password }) => password)
  return providers.flatMap((provider) => {
    const { id, redirect, header } = provider
    return [
      ...(provider === firstWithPassword ? [{ id, label: '', kind: 'password' as const }] : []),
      ...(redirect ? [{ id, label: redirect.label, kind: 'redirect' as const }] : []),
      ...(header ? [{ id, label: '', kind: 'header' as const, ...pickSignOutUrl(provider) }] : []),
    ]
  })
}

const pickSignOutUrl = ({ signOutUrl }: AuthProvider) => (signOutUrl === undefined ? {} : { signOutUrl })
