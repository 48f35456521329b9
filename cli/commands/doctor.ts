import { command } from '../command.js'

export interface DoctorFlags {
  url?: string
  section?: string[]
  strict?: true
  databaseUrl?: string
  set?: string[]
}

export const doctor = command<DoctorFlags>({
  name: 'doctor',
  summary: 'check the instance, and with --url how it looks from outside; says how to fix what is not right',
  options: [
    ['--url <url>', 'look from outside instead: at the proxy, too'],
    ['--section <name...>', 'only config, database, files, disk, or with --url: https, proxy, headers, web'],
    ['--strict', 'warnings fail, too'],
    ['--database-url <url>', 'database of the instance; better as a variable'],
    ['--set <key=value...>', 'as for `serve`'],
  ],
  examples: [
    ['on the machine of the server', 'mayfly doctor'],
    ['from another one', 'mayfly doctor --url https://secrets.example.org'],
  ],
  async run({ io, flags }) {
    const { examine } = await import('../care/doctor.js')
    await examine(flags, io)
  },
})
