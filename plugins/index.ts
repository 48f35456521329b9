/** Built-in plugins: name -> lazy import, so that only the configured ones are loaded. */
export const builtIns = {
  'audit-file': () => import('./audit-file/index.js'),
  'audit-stdout': () => import('./audit-stdout/index.js'),
  'audit-syslog': () => import('./audit-syslog/index.js'),
  'local-auth': () => import('./local-auth/index.js'),
  'local-files': () => import('./local-files/index.js'),
  memory: () => import('./memory/index.js'),
  metrics: () => import('./metrics/index.js'),
  mysql: () => import('./mysql/index.js'),
  oidc: () => import('./oidc/index.js'),
  postgres: () => import('./postgres/index.js'),
  'proxy-auth': () => import('./proxy-auth/index.js'),
  s3: () => import('./s3/index.js'),
  sqlite: () => import('./sqlite/index.js'),
  tombstones: () => import('./tombstones/index.js'),
  web: () => import('./web/index.js'),
  webhook: () => import('./webhook/index.js'),
}
