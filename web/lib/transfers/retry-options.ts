/** Somebody is watching who can cancel, and the server keeps uploads for an hour: lines may be away for that long, and laptops closed. */
export const RETRY_OPTIONS = { patienceMs: 60 * 60_000, wakeOn: window }
