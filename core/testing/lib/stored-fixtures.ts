/** Fixtures that are stored. */
import type { Secret, SecretStore } from '../../contracts/storage.js'
import type { User, UserStore } from '../../contracts/users.js'
import { aSecret, aUser, T0 } from './fixtures.js'

/** Stores a secret at `T0`. */
export async function createSecret(secrets: SecretStore, differing: Partial<Secret> = {}): Promise<Secret> {
  const secret = aSecret(differing)
  await secrets.create({ secret, now: T0 })
  return secret
}

export async function createUser(users: UserStore, differing: Partial<User> = {}): Promise<User> {
  const user = aUser(differing)
  await users.create(user)
  return user
}
