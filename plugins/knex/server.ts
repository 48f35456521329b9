/** What the plugins of database servers share: options, address and TLS, and a pool that gives up on a server that hangs. */
import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import knex, { type Knex } from 'knex'
import { type Hooks, secret, wholeNumber, z } from '#core'
import { batchSize, CONNECTION_DEFAULTS } from './defaults.js'
import { refusalOf } from './errors.js'
import { knexStorage } from './storage.js'

/** Every wait below is in ms, and shorter than `ANSWER_WITHIN`, so that whoever waits hears the cause. */
export const CONNECT_WITHIN = 4_000
/** After this much silence in the middle of its work a connection is closed: the server hangs, or is out of reach. */
const SILENCE = 4_000
/** How long the connections get to end in order when the pool is closed. */
const CLOSE_WITHIN = 1_000
/** The longest that a call of the storage takes; after that its caller is told to come back. */
export const ANSWER_WITHIN = 4_500

const URL_FORM = 'user:password@host:port/database'
/** Parameters of the URL that ask for TLS, as libpq and the MySQL tools name them, and the values that we can keep. */
const TLS_PARAMETERS = ['sslmode', 'ssl-mode']
const TLS_ON = ['require', 'required', 'verify-ca', 'verify_ca', 'verify-full', 'verify_identity']
const TLS_OFF = ['disable', 'disabled']
/** Parameters that name the socket of a server on this machine. */
const SOCKET_PARAMETERS = ['host', 'socket']

/** The options of a database server whose URLs begin with one of `schemes`. */
export function serverOptions(...schemes: [string, ...string[]]) {
  const form = `${schemes[0]}://${URL_FORM}`
  const isOurs = (text: string) => URL.canParse(text) && schemes.includes(new URL(text).protocol.slice(0, -1))
  return z.object({
    url: secret(z.string().refine(isOurs, `must be ${form}`).describe(form)),
    poolSize: wholeNumber(1, 1000).default(10).describe('most connections of one process'),
    batchSize,
    tls: z
      .union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })])
      .default(false)
      .describe('refuse a connection that is not encrypted, or to a server whose certificate does not hold'),
    ca: z.string().default('').describe('PEM file of the authorities to trust instead of the usual ones; turns tls on'),
  })
}

export type ServerOptions = z.output<ReturnType<typeof serverOptions>>

export interface Address {
  host: string
  /** The usual one when the URL names none. */
  port: number
  user: string
  password: string
  database: string
  /** Path of a socket on this machine, in place of host and port. */
  socket: string | null
  /** `ca` null: the authorities that Node trusts. Null: without TLS. */
  tls: { ca: string | null } | null
  /** For people. */
  location: string
}

/** Throws an Error of one sentence, without anything of the URL, for a parameter that would not be kept. */
export async function addressOf({ url, tls, ca }: ServerOptions, usualPort: number): Promise<Address> {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  const known = [...TLS_PARAMETERS, ...SOCKET_PARAMETERS]
  const unknown = [...searchParams.keys()].find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`the URL may not have the parameter "${unknown}".`)
  const parameter = (names: string[]) => names.map((name) => searchParams.get(name)).find((value) => value !== null)
  const mode = parameter(TLS_PARAMETERS)?.toLowerCase()
  if (mode !== undefined && ![...TLS_ON, ...TLS_OFF].includes(mode)) {
    throw new Error('the URL asks for TLS without verifying the server; ask for "verify-full" and name its ca.')
  }
  const wantsTls = tls || ca !== ''
  if (wantsTls && mode !== undefined && TLS_OFF.includes(mode))
    throw new Error('the URL turns off the TLS that is set.')
  const socket = parameter(SOCKET_PARAMETERS) ?? null
  const host = decodeURIComponent(hostname).replace(/^\[|\]$/g, '') || 'localhost'
  const database = decodeURIComponent(pathname.slice(1))
  if (database === '') throw new Error('the URL does not name a database.')
  return {
    host,
    port: Number(port) || usualPort,
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database,
    socket,
    tls: wantsTls || (mode && TLS_ON.includes(mode)) ? { ca: ca === '' ? null : await readFile(ca, 'utf8') } : null,
    location: `${socket ?? hostname + (port && `:${port}`)}/${database}`,
  }
}

interface Driver {
  config: Knex.Config
  poolSize: number
  batchSize: number
  /** Statements for every new connection; the second list not for patient ones, whose work may take its time. */
  prepare: string[]
  hurry: string[]
  /** Runs a statement on a connection of the driver. */
  run(connection: never, sql: string, done: (error: Error | null) => void): void
  /** What a connection of the driver speaks through. */
  socketOf(connection: never): Socket
  /** Throws an Error of one sentence where what was answered might be lost. */
  check(db: Knex): Promise<void>
}

/** The storage on a server that answers and keeps what it acknowledges. Throws an Error of one sentence otherwise. */
export async function openServer(location: string, driver: Driver): Promise<Hooks> {
  const sockets = new Set<Socket>()
  const db = connect(driver, false, sockets)
  try {
    await db.raw('select 1').catch((error) => {
      throw new Error(`${location} ${refusalOf(error)}.`)
    })
    await driver.check(db)
  } catch (error) {
    await closePool(db, sockets)
    throw error
  }
  const storage = knexStorage(db, {
    batchSize: driver.batchSize,
    answerWithin: ANSWER_WITHIN,
    patient: () => connect(driver, true),
  })
  return { storage: { ...storage, location }, close: () => closePool(db, sockets) }
}

/** `sockets`: filled with those of the open connections. */
function connect(driver: Driver, isPatient: boolean, sockets = new Set<Socket>()): Knex {
  const { config, poolSize, prepare, hurry, run, socketOf } = driver
  const statements = isPatient ? prepare : [...prepare, ...hurry]
  const afterCreate = (connection: never, done: (error: Error | null) => void) => {
    const socket = socketOf(connection)
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    const next = (at: number) => (error: Error | null) => {
      const sql = statements[at]
      if (error || sql === undefined) done(error)
      else run(connection, sql, next(at + 1))
    }
    next(0)(null)
  }
  const db = knex({
    ...CONNECTION_DEFAULTS,
    ...config,
    acquireConnectionTimeout: CONNECT_WITHIN,
    pool: { min: 0, max: isPatient ? 2 : poolSize, afterCreate },
  })
  if (!isPatient) closeWhenSilent(db, socketOf)
  return db
}

/** A server that does not answer would keep the pool and its sockets open. */
async function closePool(db: Knex, sockets: Set<Socket>): Promise<void> {
  const late = setTimeout(() => {
    for (const socket of sockets) socket.destroy()
  }, CLOSE_WITHIN)
  await db.destroy().finally(() => clearTimeout(late))
}

/** Only while somebody works with it: an idle connection is silent, too. */
function closeWhenSilent(db: Knex, socketOf: Driver['socketOf']): void {
  const { pool } = db.client
  pool.on('createSuccess', (_: number, connection: never) => {
    const socket = socketOf(connection)
    const silent = Object.assign(new Error('The server is silent.'), { code: 'ETIMEDOUT' })
    socket.on('timeout', () => void socket.destroy(silent))
  })
  pool.on('acquireSuccess', (_: number, connection: never) => void socketOf(connection).setTimeout(SILENCE))
  pool.on('release', (connection: never) => void socketOf(connection).setTimeout(0))
}
