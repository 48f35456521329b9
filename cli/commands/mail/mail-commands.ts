import { INSTANCE_OPTIONS } from '../../instance/instance-options.js'
import { type Command, command } from '../command.js'
import type { MailFlags } from './send-test-mail.js'

const mailTest = command<MailFlags>({
  name: 'mail test',
  summary: 'send a test message to an e-mail address and print the result',
  argument: ['[address]', 'e-mail address'],
  options: [...INSTANCE_OPTIONS],
  examples: [['can the instance send e-mail?', 'mayfly mail test alice@example.org']],
  run: async ({ io, flags, args }) => (await import('./send-test-mail.js')).sendTestMail(args[0], flags, io),
})

export const mailCommands: Command[] = [mailTest]
