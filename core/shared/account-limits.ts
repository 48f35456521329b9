/** More facts that both ends agree on, about what is behind a sign-in: the first screen does without these. */

/** Longest name of an API token, in characters. */
export const TOKEN_NAME_MAX = 64
/** Most secrets that an API token can be limited to. */
export const TOKEN_SECRETS_MAX = 1_000_000
/** Between program and system in what a session was opened with: `Firefox on Windows`. No name of either holds it. */
export const CLIENT_JOINT = ' on '
/** Most live secrets that the statistics count: from there on they say "at least". */
export const STATS_LIVE_MAX = 10_000
