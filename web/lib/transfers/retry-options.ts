import type { RetryOptions } from '#shared/client/retry'

/** Retries for an hour, as long as the server keeps uploads. The user can cancel. */
export const RETRY_OPTIONS: RetryOptions = { retryForMs: 60 * 60_000, wakeOn: window }
