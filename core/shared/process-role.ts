/**
 * What a process of an instance offers. `all`: everything. `open`: for a host on the internet, what people outside
 * need: open secrets, answer requests, and collect submissions by link. It ignores accounts.
 */
export const PROCESS_ROLES = ['all', 'open'] as const

export type ProcessRole = (typeof PROCESS_ROLES)[number]
