/** Groups of users: groups of sign-in providers that policies name, and groups that an administrator set. */
import type { App } from '../app.js'
import type { User, UserGroups } from '../contracts/users.js'
import { AppError } from '../lib/errors.js'
import type { CurrentSettings } from '../settings/create-settings.js'
import { GROUP_PREFIX, isGroup } from '../shared/policies.js'

/** Names of the groups that have a policy. */
export const namedGroups = ({ policies }: Pick<CurrentSettings, 'policies'>): string[] =>
  Object.keys(policies)
    .filter(isGroup)
    .map((audience) => audience.slice(GROUP_PREFIX.length))

/** The groups that have a policy; null: none. */
export function selectGroups(groups: string[], provider: string, settings: CurrentSettings): UserGroups | null {
  const names = namedGroups(settings).filter((name) => groups.includes(name))
  return names.length === 0 ? null : { provider, names: names.toSorted() }
}

/**
 * Stores the groups that a provider reports, and replaces the groups of all providers. A provider that does not report
 * groups does not change the groups of another provider.
 */
export async function updateGroups(
  app: App,
  user: User,
  { groups }: { groups?: string[] | undefined },
  provider: string,
): Promise<User> {
  if (groups === undefined) return user
  const selected = selectGroups(groups, provider, await app.settings.current())
  const isOfOther = user.groups !== null && user.groups.provider !== provider
  if ((selected === null && isOfOther) || JSON.stringify(selected) === JSON.stringify(user.groups)) return user
  const changed = await app.storage.users.update(user.id, { groups: selected })
  if (!changed) throw new AppError('auth.refused')
  return changed
}
