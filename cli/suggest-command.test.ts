import { expect, test } from 'vitest'
import { COMMANDS } from './program.js'
import { suggestCommand } from './suggest-command.js'

const NAMES = COMMANDS.map(({ name }) => name)

test.each([
  ['send', 'secret create'],
  ['share', 'secret create'],
  ['create', 'secret create'],
  ['get', 'secret read'],
  ['open', 'secret read'],
  ['view', 'secret read'],
  ['rm', 'secret burn'],
  ['delete', 'secret burn'],
  ['ls', 'secret list'],
  ['init', 'setup'],
  ['start', 'serve'],
  ['sevre', 'serve'],
  ['passwd', 'user passwd'],
  ['secret new', 'secret create'],
  ['secret view', 'secret read'],
  ['secret delete', 'secret burn'],
  ['secret creat', 'secret create'],
  ['secrte read', 'secret read'],
  ['user create', 'user add'],
  ['user remove', 'user delete'],
  ['user ls', 'user list'],
  ['settings change', 'settings set'],
  ['config show', 'config get'],
  ['db backup', 'backup'],
  ['user delte', undefined],
  ['secret bunr', undefined],
  ['purgee', undefined],
  ['restor', undefined],
  ['branch list', undefined],
  ['plugins list', 'plugin list'],
  ['logs', 'audit'],
  ['invite', 'user add'],
  ['user invite', 'user add'],
  ['user import', 'user add'],
  ['user export', 'user list'],
  ['user reset', 'user passwd'],
  ['export', 'secret export'],
  ['frobnicate', undefined],
  ['constructor', undefined],
])('%s -> %s', (typed, expected) => {
  expect(suggestCommand(typed.split(' '), NAMES)).toBe(expected)
})

test.each([
  ['user disable', 'user suspend'],
  ['user block', 'user suspend'],
  ['user enable', 'user resume'],
])('%s -> %s, where the command exists', (typed, expected) => {
  expect(suggestCommand(typed.split(' '), [...NAMES, 'user suspend', 'user resume'])).toBe(expected)
})
