/** Failures of the command line and the exit codes that scripts rely on; `mayfly help exit-codes` shows them. */
export const EXIT = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  gone: 3,
  denied: 4,
  wrongPassword: 5,
  unavailable: 6,
  limit: 7,
  conflict: 8,
  checkFailed: 9,
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Lower case, no full stop: what happened. `hint`: what is still fine and what to do next. */
export class CliError extends Error {
  override name = 'CliError'
  constructor(
    readonly exitCode: ExitCode,
    message: string,
    readonly hint?: string,
  ) {
    super(message)
  }
}
