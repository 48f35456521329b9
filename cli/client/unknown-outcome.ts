/** Errors of requests that the server may have processed although no response arrived. */
import { isOutcomeUnknown, isUnsent } from '#shared/client/client'
import { CliError } from '../lib/cli-error.js'
import { describeError } from '../output/error-output.js'

/**
 * Throws what `work` throws; with an unknown outcome a CliError that says so. `what`: such as `the secret was burned`.
 */
export async function explainUnknownOutcome<T>(work: Promise<T>, what: string, hint: () => string): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isOutcomeUnknown(error) || isUnsent(error)) throw error
    const { outcome, message, hint: first, ref } = describeError(error)
    const next = ref ? `${hint()}; ${first}` : hint()
    throw new CliError(outcome, `${message}; it is unknown whether ${what}`, next, { cause: error })
  }
}
