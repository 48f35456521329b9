/**
 * Explains errors of a database to its operator: the problem and the fix. The drivers' own messages may contain values.
 */
import { OperatorError } from '#core'
import { errorCode, READ_ONLY } from './database-errors.js'

/** Description of the database without credentials. */
export interface DatabaseContext {
  engine: 'postgres' | 'mysql' | 'sqlite'
  /** As `Storage.location`. */
  location: string
  /** The user as the engine writes it in GRANT; '' until the server has reported it. */
  account: string
  database: string
  /** Schema of the tables; '' for an engine without schemas. */
  schema: string
}

/** The failed operation: a connection, a change of the schema, or a read or write. */
export type Action = 'connect' | 'migrate' | 'call'

interface Explanation {
  codes: string[]
  /** Part of the driver's message that must also match. It is never shown. */
  message?: RegExp
  actions?: Action[]
  /** Rest of a sentence that starts with the location. */
  reason: string | ((context: DatabaseContext) => string)
  hint: string | ((context: DatabaseContext) => string)
}

/** Returns an error that describes `error`; null for an unknown error. */
export function explainError(error: unknown, action: Action, context: DatabaseContext): OperatorError | null {
  const code = errorCode(error)
  const message = error instanceof Error ? error.message : ''
  const known = EXPLANATIONS.find(
    ({ codes, message: pattern, actions }) =>
      (codes.length === 0 || codes.includes(code)) &&
      (pattern === undefined || pattern.test(message)) &&
      (actions === undefined || actions.includes(action)),
  )
  if (known) return describe(known, code, context)
  if (action !== 'connect') return null
  if (/CERT|ISSUER|SIGNATURE|SSL/.test(code)) return describe(UNTRUSTED_CERTIFICATE, code, context)
  return describe(NO_ANSWER, code || 'no answer in time', context)
}

function describe({ reason, hint }: Pick<Explanation, 'reason' | 'hint'>, code: string, context: DatabaseContext) {
  const say = (text: Explanation['reason']) => (typeof text === 'string' ? text : text(context))
  const shown = code === '' ? '' : ` (${code})`
  return new OperatorError(`${context.location} ${say(reason)}${shown}.`, { hint: say(hint), code })
}

const NO_ANSWER = {
  reason: 'does not answer',
  hint: 'check host and port of the database, that it runs, and the firewall',
}
const UNTRUSTED_CERTIFICATE = {
  reason: 'has a certificate that cannot be verified',
  hint: 'name the file with its certificate authority: `ca` in the section of the database, or sslrootcert or ssl-ca in its URL',
}

const DENIED_BY_MYSQL = [
  'ER_TABLEACCESS_DENIED_ERROR',
  'ER_COLUMNACCESS_DENIED_ERROR',
  'ER_DBACCESS_DENIED_ERROR',
  'ER_SPECIFIC_ACCESS_DENIED_ERROR',
]
const IS_DENIED = 'denies access: the user has no privileges on it'

const sql = (statement: string, { database }: DatabaseContext) =>
  `as its administrator, run in ${database}: ${statement}`
const grantAll = (context: DatabaseContext) =>
  sql(`GRANT ALL PRIVILEGES ON \`${context.database.replaceAll('`', '``')}\`.* TO ${context.account}`, context)
const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

/** The first that matches. */
const EXPLANATIONS: Explanation[] = [
  {
    codes: ['28000'],
    message: /no encryption|SSL off/,
    reason: 'refuses connections without TLS',
    hint: 'turn on TLS: add ?sslmode=verify-full to the URL, see docs/databases.md',
  },
  {
    codes: ['ER_SECURE_TRANSPORT_REQUIRED'],
    reason: 'refuses connections without TLS',
    hint: 'turn on TLS: add ?ssl-mode=VERIFY_IDENTITY to the URL, see docs/databases.md',
  },
  {
    codes: ['28P01', '28000', 'ER_ACCESS_DENIED_ERROR', 'ER_ACCESS_DENIED_NO_PASSWORD_ERROR'],
    reason: 'refuses the user or the password',
    hint: 'correct user and password of the database; the server may also demand TLS (?sslmode=verify-full) or refuse this machine',
  },
  {
    codes: ['AUTH_SWITCH_PLUGIN_ERROR'],
    reason: 'requires a kind of password that the driver does not support',
    hint: 'on MariaDB, give the database user a password of the kind mysql_native_password, see docs/databases.md',
  },
  {
    codes: ['ER_MUST_CHANGE_PASSWORD', 'ER_MUST_CHANGE_PASSWORD_LOGIN'],
    reason: 'refuses the user: the password has expired',
    hint: 'set a new password of the database user with ALTER USER, and write it into the URL',
  },
  {
    codes: ['ER_ACCOUNT_HAS_BEEN_LOCKED'],
    reason: 'refuses the user: the account is locked',
    hint: 'unlock the database user with ALTER USER ... ACCOUNT UNLOCK',
  },
  {
    codes: ['ER_HOST_NOT_PRIVILEGED', 'ER_HOST_IS_BLOCKED'],
    reason: 'refuses connections from this machine',
    hint: 'create the database user for the address of this machine',
  },
  {
    codes: ['3D000', 'ER_BAD_DB_ERROR', 'ER_NO_DB_ERROR'],
    reason: 'is not there: the server has no such database',
    hint: 'create the database, with `createdb mayfly` or `CREATE DATABASE mayfly`, or correct its name',
  },
  {
    codes: ['53300', 'ER_CON_COUNT_ERROR', 'ER_TOO_MANY_USER_CONNECTIONS', 'ER_USER_LIMIT_REACHED'],
    reason: 'has too many connections',
    hint: 'lower `poolSize` in the section of the database, or raise the connection limit of the server or of the user',
  },
  {
    codes: ['08P01'],
    actions: ['connect'],
    reason: 'refuses the connection',
    hint: 'check the log of the server; a pooler must know this database and user',
  },
  {
    codes: ['HANDSHAKE_NO_SSL_SUPPORT'],
    reason: 'does not speak TLS',
    hint: 'see docs/databases.md for the TLS settings',
  },
  {
    codes: [''],
    message: /does not support SSL/,
    reason: 'does not speak TLS',
    hint: 'see docs/databases.md for the TLS settings',
  },
  {
    codes: [],
    message: /altnames/,
    actions: ['connect'],
    reason: 'has a certificate of another name',
    hint: 'use the host name of the certificate in the URL; see docs/databases.md for the TLS settings',
  },
  {
    codes: ['42501'],
    actions: ['connect'],
    reason: IS_DENIED,
    hint: (context) => sql(`GRANT CONNECT ON DATABASE ${quote(context.database)} TO the user of the URL`, context),
  },
  {
    codes: ['ER_DBACCESS_DENIED_ERROR'],
    actions: ['connect'],
    reason: IS_DENIED,
    hint: 'grant the user all privileges on the database: GRANT ALL PRIVILEGES ON the database TO the user of the URL',
  },
  {
    codes: ['42501', '42809'],
    message: /^must be owner/,
    reason: ({ account }) => `has tables of another owner than ${account}, who cannot change them`,
    hint: (context) => sql(`REASSIGN OWNED BY the owner of the tables TO ${context.account}`, context),
  },
  {
    codes: ['42501', '3F000'],
    actions: ['migrate'],
    reason: ({ account, schema }) => `does not let ${account} create tables in the schema ${quote(schema)}`,
    hint: (context) => sql(`GRANT USAGE, CREATE ON SCHEMA ${quote(context.schema)} TO ${context.account}`, context),
  },
  {
    codes: ['42501', '3F000'],
    reason: ({ account }) => `does not let ${account} read and write the tables`,
    hint: (context) => {
      const [schema, to] = [quote(context.schema), `TO ${context.account}`]
      const tables = `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} ${to}`
      return sql(`${tables}; GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} ${to}`, context)
    },
  },
  {
    codes: DENIED_BY_MYSQL,
    actions: ['migrate'],
    reason: ({ account }) => `does not let ${account} create and change tables`,
    hint: grantAll,
  },
  {
    codes: DENIED_BY_MYSQL,
    reason: ({ account }) => `does not let ${account} read and write the tables`,
    hint: grantAll,
  },
  {
    codes: READ_ONLY,
    reason: 'is read-only',
    hint: ({ engine, account }) =>
      engine === 'mysql'
        ? 'connect to the primary, or run: SET GLOBAL read_only = 0'
        : `connect to the primary, or turn off default_transaction_read_only of the server, the database and the user, such as: ALTER ROLE ${account} RESET default_transaction_read_only`,
  },
  {
    codes: ['53100', 'ER_DISK_FULL', 'ER_RECORD_FILE_FULL', 'ER_TEMP_FILE_WRITE_FAILURE'],
    reason: 'cannot write: the disk is full',
    hint: 'free space on the disk of the database',
  },
  {
    codes: ['ER_NET_PACKET_TOO_LARGE'],
    reason: 'refuses the size of a statement',
    hint: 'raise max_allowed_packet of the server, see docs/databases.md',
  },
  {
    codes: ['SQLITE_FULL'],
    reason: 'cannot be written: the disk is full',
    hint: 'free space on the disk of the database',
  },
  {
    codes: ['SQLITE_READONLY', 'SQLITE_CANTOPEN', 'SQLITE_PERM'],
    reason: 'cannot be written',
    hint: 'make the user of the server the owner of the data folder and its files, on a disk that is mounted for writing',
  },
  {
    codes: ['SQLITE_IOERR'],
    reason: 'cannot be read or written',
    hint: 'check the disk and its file system, and free space on it',
  },
]
