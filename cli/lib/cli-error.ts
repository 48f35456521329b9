/** Failures of the command line and the exit codes that scripts rely on; `mayfly help exit-codes` prints this table. */
export const EXIT = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  gone: 3,
  denied: 4,
  wrong_password: 5,
  unavailable: 6,
  limit: 7,
  conflict: 8,
  check_failed: 9,
  interrupted: 130,
} as const

export type Outcome = keyof typeof EXIT

export const OUTCOME_DESCRIPTIONS: Record<Outcome, string> = {
  ok: 'done',
  unexpected: 'unexpected failure: a bug, a full disk',
  usage: 'wrong usage, invalid input or invalid settings',
  gone: 'not available: opened, burned, expired, or never there',
  denied: 'not signed in, or not allowed',
  wrong_password: 'wrong password or key; nothing was used up',
  unavailable: 'server or database out of reach, or failing: try again',
  limit: 'a limit was reached: too large, too many, too often',
  conflict: 'conflict with what is there already',
  check_failed: 'a check failed: what came is not what was sent',
  interrupted: 'interrupted, or answered with no',
}

/** Lower case, no full stop: what happened. `hint`: what is still fine and what to do next. */
export class CliError extends Error {
  override name = 'CliError'
  constructor(
    readonly outcome: Outcome,
    message: string,
    readonly hint?: string,
  ) {
    super(message)
  }
}
