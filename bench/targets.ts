/** Performance targets. CPU targets are multiples of the control server's CPU time per request in the same run. */
import type { StorageName } from '#test/databases'
import type { Report } from './report.js'
import type { RequestKind } from './requests.js'
import type { ThroughputRow } from './throughput.js'

interface Target {
  what: string
  limit: number
  unit: 'times control' | 'of SQLite' | 'of empty' | 'ms' | 'MB' | 'kB' | 'round trips'
  /** The value must be at least the limit instead of at most. */
  isMinimum?: boolean
  /** Undefined or null: this run did not measure it. */
  valueIn(report: Report): number | null | undefined
}

export interface CheckedTarget extends Omit<Target, 'valueIn'> {
  /** Null: not measured in this run. */
  value: number | null
  isMet: boolean | null
}

/** Bytes of the texts that the targets are about. */
const SIZE = 256

const TARGETS: Target[] = [
  cpu('create', 64, 4),
  cpu('view', 64, 5),
  cpu('refused create', 64, 2),
  cpu('404 view', 64, 2),
  cpu('settings', 64, 2),
  cpu('create', 1, 6),
  cpu('view', 1, 7),
  ofSqlite('postgres', 'create'),
  ofSqlite('postgres', 'view'),
  ofSqlite('mysql', 'create'),
  ofSqlite('mysql', 'view'),
  {
    what: 'cold start without that of an empty node program',
    limit: 150,
    unit: 'ms',
    valueIn: ({ startup }) => startup && startup.coldStartMs - startup.bareNodeMs,
  },
  { what: 'idle memory', limit: 80, unit: 'MB', valueIn: ({ startup }) => startup?.idleRssMb },
  {
    what: 'mayfly --help without an empty node program',
    limit: 25,
    unit: 'ms',
    valueIn: ({ startup }) => startup && startup.helpMs - startup.bareNodeMs,
  },
  {
    what: 'mayfly secret create without an empty node program',
    limit: 60,
    unit: 'ms',
    valueIn: ({ startup }) => startup && startup.createMs - startup.bareNodeMs,
  },
  {
    what: 'rate with many live rows (lowest)',
    limit: 0.9,
    unit: 'of empty',
    isMinimum: true,
    valueIn: ({ withRows }) => withRows && Math.min(...ratesOfEmpty(withRows)),
  },
  { what: 'view, database', limit: 4, unit: 'round trips', valueIn: ({ roundTrips }) => roundTrips?.view },
  { what: 'create, database', limit: 3, unit: 'round trips', valueIn: ({ roundTrips }) => roundTrips?.create },
  {
    what: 'SQLite file for each secret of 256 B',
    limit: 1.5,
    unit: 'kB',
    valueIn: ({ databaseSize }) => (databaseSize?.size === SIZE ? databaseSize.bytesPerSecret / 1000 : null),
  },
]

export function checkTargets(report: Report): CheckedTarget[] {
  return TARGETS.map(({ valueIn, ...target }) => {
    const value = valueIn(report) ?? null
    const isMet = value === null ? null : target.isMinimum ? value >= target.limit : value <= target.limit
    return { ...target, value, isMet }
  })
}

/** Rates with live rows as shares of those of the empty database, of each pair. */
export function ratesOfEmpty(rows: ThroughputRow[]): number[] {
  return rows
    .filter(({ rows }) => rows > 0)
    .map((full) => {
      const isPair = (row: ThroughputRow) =>
        row.rows === 0 && row.server === full.server && row.kind === full.kind && row.connections === full.connections
      return full.perSecond / (rows.find(isPair)?.perSecond ?? Number.NaN)
    })
}

function cpu(kind: RequestKind, connections: number, limit: number): Target {
  return {
    what: `${kind}, ${connections} ${connections === 1 ? 'connection' : 'connections'}, server CPU`,
    limit,
    unit: 'times control',
    valueIn: (report) => rowIn(report, 'sqlite', kind, connections)?.ofControl,
  }
}

function ofSqlite(server: StorageName, kind: RequestKind): Target {
  return {
    what: `${kind} on ${server}, 64 connections, per second`,
    limit: 0.7,
    unit: 'of SQLite',
    isMinimum: true,
    valueIn(report) {
      const [own, sqlite] = [rowIn(report, server, kind, 64), rowIn(report, 'sqlite', kind, 64)]
      return own && sqlite && own.perSecond / sqlite.perSecond
    },
  }
}

function rowIn({ throughput }: Report, server: StorageName, kind: RequestKind, connections: number) {
  return throughput?.find(
    (row) =>
      row.server === server && row.kind === kind && row.connections === connections && (row.size ?? SIZE) === SIZE,
  )
}
