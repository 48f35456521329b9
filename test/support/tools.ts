/**
 * What tests need from the machine besides Node: how to find each tool, and how to install it. Every test file and the
 * configuration load this, so it imports nothing of the product; `find-missing-tools.ts` asks the servers.
 */
import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

interface Tool {
  isHere(): boolean
  /** One line: what to run. */
  install: string
}

const program = (name: string, packageName = name): Tool => ({
  isHere: () => findProgram(name) !== null,
  install: `apt-get install ${packageName}`,
})

export const LOCAL_TOOLS = {
  age: program('age'),
  broadway: program('broadwayd', 'libgtk-3-bin'),
  caddy: program('caddy'),
  chromium: { isHere: () => findChromium() !== null, install: 'apt-get install chromium-headless-shell' },
  curl: program('curl'),
  dash: program('dash'),
  firefox: program('firefox-esr'),
  fish: program('fish'),
  gccgo: program('gccgo'),
  groff: program('groff'),
  haproxy: program('haproxy'),
  jq: program('jq'),
  man: program('man', 'man-db'),
  mmdebstrap: program('mmdebstrap'),
  nats: program('nats-server'),
  nginx: program('nginx', 'nginx-light'),
  openssl: program('openssl'),
  pgbouncer: program('pgbouncer'),
  ps: program('ps', 'procps'),
  /** Makes terminals for the tests. */
  python3: program('python3'),
  script: program('script', 'bsdutils'),
  setpriv: program('setpriv', 'util-linux'),
  shellcheck: program('shellcheck'),
  systemd: program('systemd-analyze', 'systemd'),
  unzip: program('unzip'),
  webkit: {
    isHere: () => findProgram('WebKitWebDriver') !== null && findMiniBrowser() !== null,
    install: 'apt-get install webkit2gtk-driver',
  },
  zsh: program('zsh'),
  /** Programs with which a test starts a server of its own. */
  postgresServer: { isHere: () => findPostgres('postgres') !== null, install: 'apt-get install postgresql' },
  mariadbServer: program('mariadbd', 'mariadb-server'),
  redisServer: program('redis-server'),
  /** To mount file systems. */
  mount: {
    isHere: () => process.getuid?.() === 0 && findProgram('mount') !== null,
    install: 'run the tests as root, and apt-get install mount',
  },
  /** Memory peaks of a process. */
  procfs: { isHere: () => existsSync('/proc/self/clear_refs'), install: 'run the tests on Linux' },
  /** To run a program as another user. */
  root: { isHere: () => process.getuid?.() === 0, install: 'run the tests as root' },
} satisfies Record<string, Tool>

/** Servers, which are there when they respond. */
export const SERVERS = {
  postgres: { install: 'apt-get install postgresql, or set MAYFLY_TEST_POSTGRES=postgres://user:password@host:port' },
  mysql: { install: 'apt-get install mariadb-server, or set MAYFLY_TEST_MYSQL=mysql://user:password@host:port' },
  s3: { install: 'run .ci/s3-server, or set MAYFLY_TEST_S3_ENDPOINT' },
  redis: { install: 'apt-get install redis-server, or set MAYFLY_TEST_REDIS=redis://host:port' },
}

export const TOOLS = { ...LOCAL_TOOLS, ...SERVERS }

export type ToolName = keyof typeof TOOLS

/** Path of a program on PATH; null if not found. */
export function findProgram(name: string): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null
}

/**
 * Path of Chromium: its build without windows where it is installed, because that needs a third less of the processor
 * for the same pages. Null when there is neither.
 */
export const findChromium = (): string | null => findProgram('chromium-headless-shell') ?? findProgram('chromium')

/** Path of the browser of WebKitGTK that its driver starts, in a folder per architecture; null if not found. */
export function findMiniBrowser(): string | null {
  const folders = existsSync('/usr/lib') ? readdirSync('/usr/lib').filter((name) => name.endsWith('-linux-gnu')) : []
  const paths = folders.map((folder) => join('/usr/lib', folder, 'webkit2gtk-4.1/MiniBrowser'))
  return paths.find(isExecutable) ?? null
}

/** Debian keeps PostgreSQL's server programs in a folder per version, outside PATH. Null when there are none. */
export function findPostgres(name: string): string | null {
  const onPath = findProgram(name)
  if (onPath || !findProgram('psql')) return onPath
  const root = '/usr/lib/postgresql'
  const [version = ''] = existsSync(root) ? readdirSync(root).sort().reverse() : []
  const path = join(root, version, 'bin', name)
  return isExecutable(path) ? path : null
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
