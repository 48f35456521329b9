import { limitSemiSpace } from '../../files/v8-flags.js'
import { type Command, command } from '../command.js'
import {
  FILE_OPTIONS,
  HEADER_OPTION,
  OUTPUT_OPTIONS,
  PAGE_OPTIONS,
  SERVER_OF_ID_OPTION,
  SERVER_OPTION,
  TEXT_OPTIONS,
} from '../shared-options.js'
import type { RequestCloseFlags } from './close-request.js'
import type { CollectFlags } from './collect-submission.js'
import type { RequestCreateFlags } from './create-request.js'
import type { RequestListFlags } from './list-requests.js'
import type { SubmitFlags } from './submit-secret.js'

const requestCreate = command<RequestCreateFlags>({
  name: 'request create',
  summary: 'print a link under which others submit a secret to you',
  options: [
    SERVER_OPTION,
    ['--title <line>', 'what you ask for, encrypted with a key of the link'],
    ['--instructions <text>', 'what the submitter should know, encrypted in the same way'],
    [
      '--ttl <duration>',
      'time to live of the request and its submissions, such as 2h (default: 7d, or what the server allows)',
    ],
    ['--submissions <count>', 'number of submissions that it accepts, up to 100', '1'],
    ['--max-bytes <number>', 'maximum size of a submission, in encrypted bytes of text and files'],
    ['--no-files', 'accept texts only'],
    ['--allow-ip <address>', 'allow only submitters from this IP address or CIDR range'],
    ['--notify', 'ask the server to tell you about submissions; needs a server with webhooks or e-mail'],
    [
      '--collect-file <file>',
      'write the collect link, which opens the submissions, to this file (default: a new file in the working folder)',
    ],
    ['--collect-fd <number>', 'write the collect link to a file descriptor'],
    ['--show-collect-link', 'print the collect link to stderr or in the JSON, and write no file'],
  ],
  examples: [
    ['stdout is only the request link, which you send', 'LINK=$(mayfly request create --collect-file ./collect.link)'],
    ['ask for a password', 'mayfly request create --title "Password of the database" --ttl 1d'],
    [
      'keep the collect link in a password manager',
      'mayfly request create --collect-fd 3 3>&1 >link.txt | pass insert -e mayfly',
    ],
  ],
  run: async ({ io, flags }) => (await import('./create-request.js')).createRequest(flags, io),
})

const requestList = command<RequestListFlags>({
  name: 'request list',
  summary: 'list your open requests, newest first',
  options: [SERVER_OPTION, ...PAGE_OPTIONS, HEADER_OPTION],
  examples: [['close all of them', 'mayfly request list | cut -f1 | xargs -n1 mayfly request close --yes']],
  run: async ({ io, flags }) => (await import('./list-requests.js')).listOwnRequests(flags, io),
})

const requestShow = command({
  name: 'request show',
  summary: 'show a request: what it asks for, or with the collect link its submissions; opens nothing',
  argument: ['[link]', 'request link or collect link, or - to read it from stdin (default: prompt)'],
  examples: [
    ['before you submit something', 'mayfly request show "$LINK"'],
    ['whether submissions have arrived', 'mayfly request show - --json < collect.link'],
  ],
  run: async ({ io, flags, args }) => (await import('./show-request.js')).showRequest(args[0], flags, io),
})

const requestClose = command<RequestCloseFlags>({
  name: 'request close',
  summary: 'close a request and burn its unopened submissions',
  argument: ['[link]', 'collect link, or the id of one of your requests, or - to read it from stdin (default: prompt)'],
  options: [SERVER_OF_ID_OPTION],
  examples: [
    ['with the collect link', 'mayfly request close - < collect.link'],
    ['one of your own requests', 'mayfly request close "$ID" --yes'],
  ],
  run: async ({ io, flags, args }) => (await import('./close-request.js')).closeRequest(args[0], flags, io),
})

const requestSubmit = command<SubmitFlags>({
  name: 'request submit',
  summary: 'encrypt stdin or files for the sender of a request link',
  argument: ['<link>', 'request link'],
  options: [
    ...FILE_OPTIONS,
    ...TEXT_OPTIONS,
    ['--no-chomp', 'keep the line end of a single-line text'],
    ['--ttl <duration>', 'time until the submission expires (default: with the request)'],
  ],
  examples: [
    ['a text from stdin', 'mayfly request submit "$LINK" < .env'],
    ['several files', 'mayfly request submit "$LINK" --file report.pdf logs.tgz'],
    ['type the text', 'mayfly request submit "$LINK"'],
  ],
  async run({ io, flags, args }) {
    await limitSemiSpace(io)
    const { submitSecret } = await import('./submit-secret.js')
    await submitSecret(args[0] ?? '', flags, io)
  },
})

const requestCollect = command<CollectFlags>({
  name: 'request collect',
  summary: 'open the oldest unopened submission of a request and print it',
  argument: ['[link]', 'collect link, or - to read it from stdin (default: prompt)'],
  options: [
    ['--wait', 'wait for a submission if there is none'],
    ['--for <duration>', 'give up waiting after this long (exit code 6)'],
    ...OUTPUT_OPTIONS,
  ],
  examples: [
    ['wait for an answer, byte for byte', 'mayfly request collect - --wait < collect.link > answer'],
    ['with files; never overwrites', 'mayfly request collect - --out-dir ./in < collect.link'],
  ],
  async run({ io, flags, args }) {
    await limitSemiSpace(io)
    const { collectSubmission } = await import('./collect-submission.js')
    await collectSubmission(args[0], flags, io)
  },
})

export const requestCommands: Command[] = [
  requestCreate,
  requestList,
  requestShow,
  requestClose,
  requestSubmit,
  requestCollect,
]
