import { INSTANCE_OPTIONS } from '../../instance/instance-options.js'
import { type Command, command } from '../command.js'
import type { DoctorFlags } from './run-checks.js'

const doctor = command<DoctorFlags>({
  name: 'doctor',
  summary: 'check the instance, or with --url its public address, and print how to fix problems',
  options: [
    ['--url <url>', 'check this address from outside instead, including the reverse proxy'],
    [
      '--section <name...>',
      'only these sections: config, database, files, disk; with --url: https, proxy, headers, web',
    ],
    [
      '--fix',
      'fix automatically: database schema, expired data, orphaned blobs, permissions of config file and data folder',
    ],
    ['--strict', 'treat warnings as failures'],
    ...INSTANCE_OPTIONS,
  ],
  examples: [
    ['on the machine of the server', 'mayfly doctor'],
    ['from another machine', 'mayfly doctor --url https://secrets.example.org'],
  ],
  run: async ({ io, flags }) => (await import('./run-checks.js')).runDoctor(flags, io),
})

const verifyWeb = command({
  name: 'verify-web',
  summary: "compare a server's web app with this version",
  argument: ['<url>', 'URL of the instance'],
  examples: [['check that the server delivers the released web app', 'mayfly verify-web https://secrets.example.org']],
  run: async ({ io, flags, args }) => (await import('./verify-web-app.js')).verifyWebApp(args[0] ?? '', flags, io),
})

export const doctorCommands: Command[] = [doctor, verifyWeb]
