/** Suggests a command for unknown words: a synonym, or the nearest command of the same group. */
import { findNearest } from '#shared/edit-distance'
import { lookUp } from '#shared/look-up'

/** Words with the same meaning. The first one that exists in the group is suggested. A word can be in several lines. */
const SYNONYMS = [
  ['create', 'add', 'new', 'send', 'share', 'put', 'make'],
  ['add', 'import', 'invite', 'register'],
  ['read', 'get', 'open', 'view', 'show', 'receive', 'fetch', 'cat'],
  ['burn', 'delete', 'remove', 'rm', 'del', 'revoke', 'destroy'],
  ['list', 'ls', 'all', 'export'],
  ['set', 'update', 'change', 'edit'],
  ['passwd', 'password', 'reset'],
  ['setup', 'init', 'install', 'configure'],
  ['serve', 'server', 'start', 'daemon'],
  ['login', 'signin', 'auth'],
  ['logout', 'signout'],
  ['backup', 'export', 'dump'],
  ['doctor', 'check', 'diagnose'],
  ['suspend', 'disable', 'deactivate', 'block', 'lock', 'ban'],
  ['resume', 'enable', 'activate', 'reactivate', 'unblock', 'unlock', 'unsuspend'],
]
/** Words without a group that mean a command of one group. */
const COMMANDS_OF_WORDS: Record<string, string> = {
  invite: 'user add',
  register: 'user add',
  import: 'user add',
  log: 'audit',
  logs: 'audit',
  history: 'audit',
}
/** Never suggested for a misspelled word. */
const DESTRUCTIVE = [
  'secret burn',
  'request close',
  'webhook remove',
  'user delete',
  'events purge',
  'purge',
  'restore',
  'logout',
  'migrate',
]
/** Commands without a group come last: `mayfly get` is about a secret. */
const DEFAULT_GROUPS = ['secret', '', 'request', 'webhook', 'user', 'settings', 'events', 'config', 'db', 'plugin']

/** `words`: the first one or two words. `commands`: names of all commands. */
export function suggestCommand([first = '', second]: string[], commands: string[]): string | undefined {
  if (first === '') return undefined
  const groups = [...new Set(commands.filter((name) => name.includes(' ')).map((name) => name.split(' ')[0] as string))]
  const group = groups.includes(first) ? first : second && findNearest(first, groups, 2)
  if (group && second !== undefined) {
    // `db backup` is a command without a group.
    return findInGroup(group, second, commands) ?? (commands.includes(second) ? second : undefined)
  }
  // Another group, such as `branch list`.
  if (second !== undefined && commands.some((name) => name.endsWith(` ${second}`))) return undefined
  const found =
    lookUp(COMMANDS_OF_WORDS, first) ??
    DEFAULT_GROUPS.map((name) => findSynonym(name, first, commands)).find((name) => name !== undefined)
  return found ?? findNearestIn(first, listHarmless(commands), commands)
}

function findInGroup(group: string, verb: string, commands: string[]): string | undefined {
  const members = listHarmless(commands).filter((name) => name.startsWith(`${group} `))
  return findSynonym(group, verb, commands) ?? findNearestIn(verb, members, commands)
}

/** Exact words, then synonyms. `group`: '' for commands without one. */
function findSynonym(group: string, verb: string, commands: string[]): string | undefined {
  const toName = (word: string) => (group === '' ? word : `${group} ${word}`)
  const words = [verb, ...SYNONYMS.filter((each) => each.includes(verb)).flat()]
  return words.map(toName).find((name) => commands.includes(name))
}

/** The command whose last word is nearest. Short words match only with one wrong letter. */
function findNearestIn(typed: string, members: string[], commands: string[]): string | undefined {
  const verbs = members.map((name) => name.split(' ').at(-1) as string)
  const near = findNearest(typed, verbs, typed.length < 5 ? 1 : 2)
  return near === undefined ? undefined : (commands.find((name) => name === near) ?? members[verbs.indexOf(near)])
}

const listHarmless = (commands: string[]): string[] => commands.filter((name) => !DESTRUCTIVE.includes(name))
