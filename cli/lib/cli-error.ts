/** CLI errors and exit codes. Scripts rely on the codes; `mayfly help exit-codes` prints them. */
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
  not_written: 10,
  interrupted: 130,
} as const

export type Outcome = keyof typeof EXIT

export const OUTCOME_DESCRIPTIONS: Record<Outcome, string> = {
  ok: 'success',
  unexpected: 'unexpected failure, such as a bug',
  usage: 'wrong usage, invalid input or invalid config',
  gone: 'not found: opened, burned, expired or never existed',
  denied: 'not signed in, or not allowed',
  wrong_password: 'wrong password or key; no view was used',
  unavailable: 'server or database unreachable or failing; try again',
  limit: 'limit reached: too large, too many or too often',
  conflict: 'conflict with existing data',
  check_failed: 'a check failed, or received data is damaged',
  not_written: 'the output could not be written, such as on a full disk; see the hint',
  interrupted: 'interrupted, or not confirmed',
}

/** `message` and `hint` are lower case without a full stop. `message` says what is wrong, `hint` what to do next. */
export class CliError extends Error {
  override name = 'CliError'
  constructor(
    readonly outcome: Outcome,
    message: string,
    readonly hint?: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
