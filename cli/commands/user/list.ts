import { ADMIN_OPTIONS } from '../../instance/with-administration.js'
import { command } from '../command.js'
import { HEADER_OPTION, PAGE_OPTIONS } from '../list-options.js'
import type { UserListFlags } from './manage-users.js'

export const userList = command<UserListFlags>({
  name: 'user list',
  summary: 'list the users by name',
  options: [
    ['--role <role>', 'only users with this role', undefined, ['user', 'admin']],
    ['--search <text>', 'only users with this text in name or e-mail address'],
    ...PAGE_OPTIONS,
    ['--all', 'print all users'],
    HEADER_OPTION,
    ...ADMIN_OPTIONS,
  ],
  examples: [
    ['list the administrators', 'mayfly user list --role admin'],
    ['list all users as JSON', 'mayfly user list --all --json'],
  ],
  async run({ io, flags }) {
    const { listUsers } = await import('./manage-users.js')
    await listUsers(flags, io)
  },
})
