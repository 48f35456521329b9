import { INSTANCE_OPTIONS } from '../../instance/instance-options.js'
import { command } from '../command.js'
import type { DoctorFlags } from './run-checks.js'

export const doctor = command<DoctorFlags>({
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
  async run({ io, flags }) {
    const { runDoctor } = await import('./run-checks.js')
    await runDoctor(flags, io)
  },
})
