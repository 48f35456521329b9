/** An error that the operator of an instance can fix. Its texts name neither secrets nor stored data. */

interface Details extends ErrorOptions {
  /** How to fix it: lower case, without a full stop. */
  hint?: string | undefined
  /** Code of the driver or of the system, such as 42501 or ENOSPC. Logged. */
  code?: string | undefined
  /** True: a setting is wrong, so another start does not help. The program exits with 2. */
  isSetting?: boolean
}

/**
 * Thrown by `setup` of plugins, and a cause of errors of a storage. `message`: one sentence that describes the problem.
 */
export class OperatorError extends Error {
  override name = 'OperatorError'
  readonly hint: string | undefined
  readonly code: string | undefined
  readonly isSetting: boolean

  constructor(message: string, { hint, code, isSetting = false, ...options }: Details = {}) {
    super(message, options)
    this.hint = hint
    this.code = code
    this.isSetting = isSetting
  }
}

/**
 * Returns the first OperatorError among an error and its causes; null: none. Compares names, because a plugin may
 * contain its own copy.
 */
export function findOperatorError(error: unknown): OperatorError | null {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each.name === 'OperatorError') return each as OperatorError
  }
  return null
}
