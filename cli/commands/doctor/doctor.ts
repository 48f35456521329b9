import { INSTANCE_OPTIONS } from '../../instance/instance-options.js'
import { command } from '../command.js'
import type { DoctorFlags } from './run-checks.js'

export const doctor = command<DoctorFlags>({
  name: 'doctor',
  summary: 'check the instance, and with --url how it looks from outside; says how to fix what is not right',
  options: [
    ['--url <url>', 'look from outside instead: at the proxy, too'],
    ['--section <name...>', 'only config, database, files, disk, or with --url: https, proxy, headers, web'],
    ['--fix', 'mend what a program can: the schema, what has ended and is still there, who may read the data folder'],
    ['--strict', 'warnings fail, too'],
    ...INSTANCE_OPTIONS,
  ],
  examples: [
    ['on the machine of the server', 'mayfly doctor'],
    ['from another one', 'mayfly doctor --url https://secrets.example.org'],
  ],
  async run({ io, flags }) {
    const { runDoctor } = await import('./run-checks.js')
    await runDoctor(flags, io)
  },
})
