import type { RetryOptions } from '#shared/client/retry'

/**
 * An hour, as long as the server keeps uploads: the user can cancel, and connections or closed laptops may come back.
 */
export const RETRY_OPTIONS: RetryOptions = { retryForMs: 60 * 60_000, wakeOn: window }
