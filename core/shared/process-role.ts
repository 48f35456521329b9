/**
 * Role of a process of an instance. `all`: all features. `open`: for a host on the internet, only opening secrets,
 * answering requests and collecting submissions by link. It ignores accounts.
 */
export const PROCESS_ROLES = ['all', 'open'] as const

export type ProcessRole = (typeof PROCESS_ROLES)[number]
