import { command } from '../command.js'
import type { DeskFlags } from '../people/desk.js'
import { DESK_OPTIONS, HEADER_OPTION, PAGE_OPTIONS } from '../people/options.js'
import type { PageFlags } from '../people/page.js'
import type { ListFlags } from '../people/table.js'

export interface UserListFlags extends DeskFlags, ListFlags, PageFlags {
  role?: 'user' | 'admin'
  search?: string
  all?: true
}

export const userList = command<UserListFlags>({
  name: 'user list',
  summary: 'list the accounts, by name',
  options: [
    ['--role <role>', 'only users, or only administrators', undefined, ['user', 'admin']],
    ['--search <text>', 'only those with this in their name or e-mail address'],
    ...PAGE_OPTIONS,
    ['--all', 'all of them'],
    HEADER_OPTION,
    ...DESK_OPTIONS,
  ],
  examples: [
    ['who are the administrators?', 'mayfly user list --role admin'],
    ['for programs', 'mayfly user list --all --json'],
  ],
  async run({ io, flags }) {
    const { listAccounts } = await import('../people/users.js')
    await listAccounts(flags, io)
  },
})
