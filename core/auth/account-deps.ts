/** What the account use cases depend on. */
import type { Audit } from '../contracts/audit.js'
import type { AuthProvider } from '../contracts/auth-provider.js'
import type { Emit } from '../contracts/events.js'
import type { SessionStore } from '../contracts/sessions.js'
import type { UserStore } from '../contracts/users.js'
import type { EventService } from '../events/event-service.js'
import type { PasswordHasher } from '../lib/password-hash.js'
import type { SettingsService } from '../settings/settings-service.js'
import type { EmailVerificationService } from './email-verification.js'
import type { PasswordSettings } from './password-policy.js'
import type { SignInService } from './sign-in.js'

export interface AccountDeps {
  users: UserStore
  sessions: Pick<SessionStore, 'list'>
  /** The configured auth providers, in order. */
  getProviders: () => AuthProvider[]
  signIn: SignInService
  instance: SettingsService
  settings: PasswordSettings
  hasher: PasswordHasher
  emit: Emit
  events: Pick<EventService, 'create'>
  verification: Pick<EmailVerificationService, 'send'>
  audit: Audit
  /** Epoch ms. */
  now: () => number
  /** Called after an account and its data were deleted. */
  cleanUp: (userId: string) => Promise<void>
}
