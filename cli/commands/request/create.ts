import { command } from '../command.js'
import type { RequestCreateFlags } from './create-request.js'

export const requestCreate = command<RequestCreateFlags>({
  name: 'request create',
  summary: 'print a link under which others submit a secret to you',
  options: [
    ['-s, --server <url>', 'server to use (default: MAYFLY_SERVER, or `server` in the config file)'],
    ['--title <line>', 'what you ask for, encrypted with a key of the link'],
    ['--instructions <text>', 'what the submitter should know, encrypted in the same way'],
    ['--ttl <duration>', 'time to live of the request and its submissions, such as 2h, 7d', '7d'],
    ['--submissions <count>', 'number of submissions that it accepts, up to 100', '1'],
    ['--max-bytes <number>', 'maximum size of a submission, in encrypted bytes of text and files'],
    ['--no-files', 'accept texts only'],
    ['--allow-ip <address>', 'allow only submitters from this IP address or CIDR range'],
    ['--notify', 'ask the server to tell you about submissions; needs a server with webhooks'],
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
  async run({ io, flags }) {
    const { createRequest } = await import('./create-request.js')
    await createRequest(flags, io)
  },
})
