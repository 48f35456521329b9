import type { UrlDialect } from '#plugins/knex'

/** URLs of libpq, and the parameters that hosted PostgreSQL and common clients add. */
export const POSTGRES_URLS: UrlDialect = {
  schemes: ['postgres', 'postgresql'],
  socket: ['host'],
  tls: {
    // Every mode that encrypts also verifies the certificate and the name.
    sslmode: {
      disable: 'disable',
      allow: 'prefer',
      prefer: 'prefer',
      require: 'require',
      'verify-ca': 'require',
      'verify-full': 'require',
    },
    ssl: { true: 'require', false: 'disable' },
  },
  ca: ['sslrootcert'],
  read: {
    schema: null,
    options: null,
    application_name: null,
    channel_binding: /^(disable|prefer|require)?$/,
    target_session_attrs: /^(any|read-write|primary)?$/,
    client_encoding: /^(utf-?8|auto)?$/i,
  },
  ignored: [
    'connect_timeout',
    'pool_timeout',
    'pgbouncer',
    'sslsni',
    'sslcompression',
    'sslnegotiation',
    'gssencmode',
    'keepalives',
    'keepalives_idle',
    'keepalives_interval',
    'keepalives_count',
    'tcp_user_timeout',
    'fallback_application_name',
    'statement_cache_size',
    'uselibpqcompat',
    'supa',
    'workaround',
  ],
}
