import { INSTANCE_OPTIONS } from '../../instance/instance-options.js'
import { ADMIN_OPTIONS, type AdminFlags } from '../../instance/with-administration.js'
import { type Command, command, type Option } from '../command.js'
import { HEADER_OPTION, PAGE_OPTIONS, PASSWORD_FD_OPTION } from '../shared-options.js'
import type { UserAccessFlags, UserLockOutFlags } from './access.js'
import type { UserAddFlags } from './add-users.js'
import type { UserEmailFlags, UserGroupsFlags } from './change-users.js'
import type { UserDeleteFlags, UserListFlags, UserPasswdFlags } from './manage-users.js'
import type { UserTokenFlags } from './user-tokens.js'

const KEEP_OPTION: Option = ['--except <list>', 'comma-separated ids of user access that do not end']

const ACCOUNT_PASSWORD_OPTIONS: Option[] = [
  ['--generate', 'generate a password and print it (default)'],
  ['--password', 'ask for the password'],
  ['--password-file <file>', 'read the password from a file'],
  PASSWORD_FD_OPTION,
  ['--no-must-change', "don't require a password change at the next sign-in"],
  ['--send-link', 'print a one-time link with the credentials instead of the password'],
  ['--ttl <duration>', 'lifetime of that link', '1d'],
]

const userAdd = command<UserAddFlags>({
  name: 'user add',
  summary: 'create a user and print the generated password, once',
  argument: ['[name...]', 'user name: 4 to 20 characters of a-z, 0-9, _, . and -'],
  options: [
    ['--email <address>', 'e-mail address of the user'],
    ['--role <role>', 'role: user or admin (default: user)', undefined, ['user', 'admin']],
    ['--group <name...>', 'groups for policies, see user groups'],
    ...ACCOUNT_PASSWORD_OPTIONS,
    ['--email-verified', 'mark the address as confirmed, and send no link to it'],
    ['--if-missing', 'succeed if the user exists already'],
    [
      '--from <file>',
      'add several users: a CSV file with the columns username, email, role and groups, or - for stdin; prints a JSON document per line',
    ],
    ['--skip-invalid', 'with --from: leave out lines with mistakes; by default one of them stops the command'],
    ...INSTANCE_OPTIONS,
  ],
  examples: [
    ['the first administrator', 'mayfly user add admin --role admin --email you@example.org'],
    [
      'send each user a one-time link with the credentials',
      '(umask 077; mayfly user add --from team.csv --send-link > links.ndjson)',
    ],
    ['in a script that runs repeatedly', 'mayfly user add robot --email robot@example.org --if-missing'],
  ],
  run: async ({ io, flags, args }) => (await import('./add-users.js')).addUsers(args, flags, io),
})

const userList = command<UserListFlags>({
  name: 'user list',
  summary: 'list the users by name',
  options: [
    ['--role <role>', 'only users with this role', undefined, ['user', 'admin']],
    ['--search <text>', 'only users with this text in name or e-mail address'],
    ...PAGE_OPTIONS,
    ['--all', 'print all users'],
    ['--factors', 'print which second factors the users have, and until when they have time to add one'],
    HEADER_OPTION,
    ...ADMIN_OPTIONS,
  ],
  examples: [
    ['list the administrators', 'mayfly user list --role admin'],
    ['list all users as JSON', 'mayfly user list --all --json'],
    ['who has no second factor yet?', 'mayfly user list --all --factors --header'],
  ],
  run: async ({ io, flags }) => (await import('./manage-users.js')).listUsers(flags, io),
})

const userRole = command<AdminFlags>({
  name: 'user role',
  summary: "change a user's role and end the user's sessions",
  argument: ['<name-and-role...>', 'user name, and user or admin', ['user', 'admin']],
  options: INSTANCE_OPTIONS,
  examples: [['make a user an administrator', 'mayfly user role anna admin']],
  run: async ({ io, flags, args }) => (await import('./change-users.js')).setRole(args, flags, io),
})

const userGroups = command<UserGroupsFlags>({
  name: 'user groups',
  summary: 'set or print the groups of a user for policies',
  argument: ['<name-and-groups...>', 'user name, and all groups of the user'],
  options: [['--none', 'remove all groups'], ...ADMIN_OPTIONS],
  examples: [
    ['members of support follow the policy group:support', 'mayfly user groups anna support'],
    ['none any more', 'mayfly user groups anna --none'],
  ],
  run: async ({ io, flags, args }) => (await import('./change-users.js')).manageGroups(args, flags, io),
})

const userEmail = command<UserEmailFlags>({
  name: 'user email',
  summary: "change a user's e-mail address, and send a link that confirms it",
  argument: ['<name-and-address...>', 'user name, and the new e-mail address'],
  options: [['--verified', 'mark the address as confirmed, and send no link'], ...INSTANCE_OPTIONS],
  examples: [['after a change of name', 'mayfly user email anna anna.new@example.org --verified']],
  run: async ({ io, flags, args }) => (await import('./change-users.js')).setEmail(args, flags, io),
})

const userVerifyEmail = command<AdminFlags>({
  name: 'user verify-email',
  summary: "mark a user's e-mail address as confirmed",
  argument: ['<name>', 'user name'],
  options: INSTANCE_OPTIONS,
  examples: [['the address is known to be right', 'mayfly user verify-email anna']],
  run: async ({ io, flags, args }) => (await import('./change-users.js')).verifyEmail(args, flags, io),
})

const userPasswd = command<UserPasswdFlags>({
  name: 'user passwd',
  summary: "change a user's password and lock everyone else out: see user lock-out",
  argument: ['<name>', 'user name'],
  options: [...ACCOUNT_PASSWORD_OPTIONS, KEEP_OPTION, ...INSTANCE_OPTIONS],
  examples: [
    ['generate a new password and print it once', 'mayfly user passwd anna'],
    ['print a one-time link with the new password', 'mayfly user passwd anna --send-link'],
  ],
  run: async ({ io, flags, args }) => (await import('./manage-users.js')).setPassword(args, flags, io),
})

const userAccess = command<UserAccessFlags>({
  name: 'user access',
  summary: "list a user's sessions, API tokens, identities and webhooks",
  argument: ['<name>', 'user name'],
  options: [HEADER_OPTION, ...ADMIN_OPTIONS],
  examples: [['what could a thief have added?', 'mayfly user access anna --header']],
  run: async ({ io, flags, args }) => (await import('./access.js')).listAccess(args, flags, io),
})

const userRevoke = command<AdminFlags>({
  name: 'user revoke',
  summary: 'end one session, API token, identity or webhook of a user',
  argument: ['<name-and-id...>', 'user name, and an id of user access'],
  options: ADMIN_OPTIONS,
  examples: [['disconnect one token', 'mayfly user revoke anna token:0a1b2c3d']],
  run: async ({ io, flags, args }) => (await import('./access.js')).revokeAccess(args, flags, io),
})

const userLockOut = command<UserLockOutFlags>({
  name: 'user lock-out',
  summary:
    'end everything that can act as a user: sessions, API tokens, identities, webhooks, known devices, links in e-mails',
  argument: ['<name>', 'user name'],
  options: [KEEP_OPTION, ...ADMIN_OPTIONS],
  examples: [['someone has the session of a user, not the password', 'mayfly user lock-out anna']],
  run: async ({ io, flags, args }) => (await import('./access.js')).lockOut(args, flags, io),
})

const userResetFactors = command<AdminFlags>({
  name: 'user reset-factors',
  summary: "remove a user's passkeys, authenticator app and recovery codes, and end the user's sessions",
  argument: ['<name>', 'user name'],
  options: ADMIN_OPTIONS,
  examples: [['someone lost the phone and the recovery codes', 'mayfly user reset-factors anna']],
  run: async ({ io, flags, args }) => (await import('./change-users.js')).resetFactors(args, flags, io),
})

const userEndSessions = command<AdminFlags>({
  name: 'user end-sessions',
  summary: "end a user's sessions and delete the user's API tokens",
  argument: ['<name>', 'user name'],
  options: ADMIN_OPTIONS,
  examples: [['a device was lost', 'mayfly user end-sessions anna']],
  run: async ({ io, flags, args }) => (await import('./change-users.js')).endSessions(args, flags, io),
})

const userSuspend = command<AdminFlags>({
  name: 'user suspend',
  summary: 'refuse sign-ins, sessions and API tokens of a user; links to secrets keep working',
  argument: ['<name>', 'user name'],
  options: ADMIN_OPTIONS,
  examples: [['someone is away for a year', 'mayfly user suspend anna']],
  run: async ({ io, flags, args }) => (await import('./change-users.js')).setSuspended(args, true, flags, io),
})

const userResume = command<AdminFlags>({
  name: 'user resume',
  summary: 'let a suspended user sign in again; sessions and API tokens that have not expired work again',
  argument: ['<name>', 'user name'],
  options: ADMIN_OPTIONS,
  examples: [['after user suspend', 'mayfly user resume anna']],
  run: async ({ io, flags, args }) => (await import('./change-users.js')).setSuspended(args, false, flags, io),
})

const userDelete = command<UserDeleteFlags>({
  name: 'user delete',
  summary: 'delete a user with all secrets and files',
  argument: ['<name>', 'user name'],
  options: [['--confirm <name>', 'repeat the user name, where no prompt is possible'], ...ADMIN_OPTIONS],
  examples: [['in a script', 'mayfly user delete anna --confirm anna']],
  run: async ({ io, flags, args }) => (await import('./manage-users.js')).deleteUser(args, flags, io),
})

const userToken = command<UserTokenFlags>({
  name: 'user token',
  summary: 'create an API token for a user and print it, once; list or revoke tokens',
  argument: ['<name>', 'user name'],
  options: [
    ['--name <name>', 'name of the token', 'shell'],
    ['--ttl <duration>', 'lifetime of the token (default: 365d, or the longest that the instance allows)'],
    [
      '--scopes <list>',
      'comma-separated: secrets:create,secrets:read,account,admin, or parts of admin: admin:read,admin:users,admin:settings (default: all scopes of the user)',
    ],
    ['--max-secrets <count>', 'number of secrets that the token can create'],
    ['--max-bytes <count>', 'total size of the secrets that the token can create'],
    ['--allow-ip <address>', 'accept the token only from this IP address or CIDR range'],
    ['--rotate', 'revoke the old token of that name after the new one is created'],
    ['--revoke', 'revoke the token of that name and create none'],
    ['--list', 'list the tokens of the user and create none'],
    ...ADMIN_OPTIONS,
  ],
  examples: [
    [
      'replace the token at each deployment',
      '(umask 077; mayfly user token robot --rotate > /run/secrets/mayfly_token)',
    ],
    [
      'for a job that creates one secret within an hour',
      'mayfly user token robot --name job --ttl 1h --scopes secrets:create --max-secrets 1',
    ],
  ],
  run: async ({ io, flags, args }) => (await import('./user-tokens.js')).userToken(args, flags, io),
})

export const userCommands: Command[] = [
  userAdd,
  userList,
  userRole,
  userGroups,
  userEmail,
  userVerifyEmail,
  userPasswd,
  userAccess,
  userRevoke,
  userLockOut,
  userResetFactors,
  userEndSessions,
  userSuspend,
  userResume,
  userDelete,
  userToken,
]
