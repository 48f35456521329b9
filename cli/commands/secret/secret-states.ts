/** Values of `--state` for secrets that have ended. `ended`: all of them. */
export const ENDED_STATES = ['ended', 'used-up', 'burned', 'expired']
