/** The plugins that come with Mayfly: name -> lazy import, so that only what the config names is ever loaded. */
export const builtIns = {
  'local-files': () => import('./local-files/index.js'),
  memory: () => import('./memory/index.js'),
  mysql: () => import('./mysql/index.js'),
  postgres: () => import('./postgres/index.js'),
  s3: () => import('./s3/index.js'),
  sqlite: () => import('./sqlite/index.js'),
  web: () => import('./web/index.js'),
}
