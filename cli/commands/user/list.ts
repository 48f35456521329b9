import { INSTANCE_OPTIONS } from '../../instance/instance-options.js'
import { HEADER_OPTION, PAGE_OPTIONS } from '../account-options.js'
import { command } from '../command.js'
import type { UserListFlags } from './manage-users.js'

export const userList = command<UserListFlags>({
  name: 'user list',
  summary: 'list the accounts, by name',
  options: [
    ['--role <role>', 'only users, or only administrators', undefined, ['user', 'admin']],
    ['--search <text>', 'only those with this in their name or e-mail address'],
    ...PAGE_OPTIONS,
    ['--all', 'all of them'],
    HEADER_OPTION,
    ...INSTANCE_OPTIONS,
  ],
  examples: [
    ['who are the administrators?', 'mayfly user list --role admin'],
    ['for programs', 'mayfly user list --all --json'],
  ],
  async run({ io, flags }) {
    const { listUsers } = await import('./manage-users.js')
    await listUsers(flags, io)
  },
})
