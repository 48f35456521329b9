/**
 * Policies: allowed options of an audience for its secrets, requests and files. The API schemas, the resolution, the
 * CLI and the admin form follow from the columns. It is plain data, because the page loads no schemas.
 */
import type { Lifetime } from './lifetimes.js'

/** Values of every column. For an absent column, another row or the configuration decides. */
export interface PolicyValues {
  /** Allowed lifetimes. A single allowed lifetime has `min` and `max` equal. */
  lifetimes: Lifetime[]
  /** Default of forms and the command line, in seconds. */
  defaultTtl: number
  /** 1: one-time only. With any value, a secret cannot have an unlimited number of views. */
  maxViews: number
  defaultViews: number
  /** The client attests it: see "Required passwords" in docs/security.md. */
  password: 'offered' | 'required'
  /** Whether secrets and requests must be limited to an IP address or range. */
  requireAddress: boolean
  files: boolean
  /** Of one file, before encryption. */
  maxFileBytes: number
  mayCreate: boolean
  mayRequest: boolean
}

export type Policy = { [Column in PolicyColumn]?: PolicyValues[Column] | undefined }
export type PolicyColumn = keyof PolicyValues

/** Rows by audience. */
export type Policies = Record<Audience, Policy>

/** Audiences that every instance has. Others are groups of a sign-in provider. */
export const FIXED_AUDIENCES = ['visitors', 'users', 'administrators'] as const
export const GROUP_PREFIX = 'group:'
/** One of the fixed audiences, or `group:` and the name of a group, as the provider writes it. */
export type Audience = string

/** Number of groups with a policy. */
export const GROUPS_MAX = 20
/** Characters of a group's name. */
export const GROUP_NAME_MAX = 100
/** Number of ranges in `lifetimes`. */
export const LIFETIMES_MAX = 12

/** Notation of the values of a column, for the command line and the fields of the admin form. */
type ColumnType = 'lifetimes' | 'duration' | 'count' | 'size' | 'boolean' | readonly string[]

export const POLICY_COLUMNS = {
  lifetimes: 'lifetimes',
  defaultTtl: 'duration',
  maxViews: 'count',
  defaultViews: 'count',
  password: ['offered', 'required'],
  requireAddress: 'boolean',
  files: 'boolean',
  maxFileBytes: 'size',
  mayCreate: 'boolean',
  mayRequest: 'boolean',
} as const satisfies Record<PolicyColumn, ColumnType>

/** In the order of the table. */
export const COLUMN_NAMES = Object.keys(POLICY_COLUMNS) as PolicyColumn[]

/** Names of groups as accounts store them, without repetitions. */
export const sortGroups = (names: string[]): string[] => [...new Set(names)].sort()

export const isGroup = (audience: Audience): boolean => audience.startsWith(GROUP_PREFIX)

/** A value as `mayfly settings policy set` reads it, such as `1h,1d..7d` or `10MiB`. */
export function formatPolicyValue(column: PolicyColumn, value: PolicyValues[PolicyColumn]): string {
  const type: ColumnType = POLICY_COLUMNS[column]
  if (type === 'lifetimes') return (value as Lifetime[]).map(formatLifetime).join(',')
  if (type === 'duration') return formatUnit(value as number, SECONDS)
  return type === 'size' ? formatUnit(value as number, BYTES) : String(value)
}

const formatLifetime = ({ min, max }: Lifetime): string =>
  min === max ? formatUnit(min, SECONDS) : `${formatUnit(min, SECONDS)}..${formatUnit(max, SECONDS)}`

/** Largest first. */
const SECONDS: [string, number][] = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
]
const BYTES: [string, number][] = [
  ['GiB', 2 ** 30],
  ['MiB', 2 ** 20],
  ['KiB', 2 ** 10],
  ['B', 1],
]

/** In the largest unit of which it is a whole number. */
function formatUnit(value: number, units: [string, number][]): string {
  const [name, size] = units.find(([, size]) => value > 0 && value % size === 0) ?? ['', 1]
  return `${value / size}${name}`
}
