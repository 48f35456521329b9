import type { TlsMode, UrlDialect } from '#plugins/knex'

/** Every mode that encrypts also verifies the certificate and the name. */
const MODES: Record<string, TlsMode> = {
  disabled: 'disable',
  disable: 'disable',
  preferred: 'prefer',
  prefer: 'prefer',
  required: 'require',
  require: 'require',
  verify_ca: 'require',
  'verify-ca': 'require',
  verify_identity: 'require',
  'verify-full': 'require',
}
const SWITCH: Record<string, TlsMode> = { true: 'require', false: 'disable' }

/** URLs of the MySQL tools, and the parameters that hosted MySQL and common clients add. */
export const MYSQL_URLS: UrlDialect = {
  schemes: ['mysql', 'mariadb'],
  socket: ['socket'],
  tls: {
    'ssl-mode': MODES,
    sslmode: MODES,
    ssl: { ...SWITCH, '{"rejectunauthorized":true}': 'require' },
    sslaccept: { strict: 'require' },
    useSSL: SWITCH,
    tls: SWITCH,
  },
  ca: ['ssl-ca', 'sslca'],
  read: { charset: /^(utf8|utf-8|utf8mb4)?$/i, collation: /^(utf8\w*)?$/i },
  ignored: ['connect_timeout', 'connectTimeout', 'pool_timeout', 'parseTime', 'timezone', 'multiStatements'],
}
