/**
 * The Dockerfile and the compose files, read and not run: `.ci/try-image` builds and runs the image. These tests find
 * mistakes without an error message: an unknown setting, an unneeded right, a secret in the environment.
 */

import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import manifest from '#package' with { type: 'json' }
import { needs } from '#test/needs'
import { variables } from '#test/setting-variables'
import { ROOT } from '#test/source-files'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const known = variables()

describe('the Dockerfile', () => {
  /** Instruction and its arguments, without comments; continued lines are joined. */
  const steps = read('Dockerfile')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [[line.replace(/ .*/, ''), line.replace(/^\S+ /, '')] as const]))
  const last = steps.slice(steps.findLastIndex(([name]) => name === 'FROM'))
  const of = (name: string) => last.filter(([each]) => each === name).map(([, rest]) => rest)

  test('the image runs with a numeric user, writes only to /data and stops on signals', () => {
    expect(of('USER')).toEqual(['10001:10001'])
    expect(of('VOLUME')).toEqual(['/data'])
    // Exec forms, because a shell would take the signals.
    expect(of('ENTRYPOINT')).toEqual(['["mayfly"]'])
    expect(of('CMD')).toEqual(['["serve"]'])
    const lastToWrite = last.findLastIndex(([name]) => name === 'RUN' || name === 'COPY')
    expect(last.findIndex(([name]) => name === 'USER')).toBeGreaterThan(lastToWrite)
  })

  test('the image contains only build output and sets existing settings', () => {
    expect(of('COPY')).toEqual(['--from=build /app /app'])
    const set = of('ENV').flatMap((line) => [...line.matchAll(/(MAYFLY_\w+)=/g)].map(([, name]) => name))
    expect(set.length).toBeGreaterThan(0)
    expect(set.filter((name) => !known.has(`${name}`))).toEqual([])
    expect(steps.filter(([name, rest]) => /^(ARG|ENV)$/.test(name) && /token|secret|password/i.test(rest))).toEqual([])
  })

  test('the image has labels of the package, and base images that can be pinned by digest', () => {
    const [labels = ''] = of('LABEL')
    expect(
      Object.fromEntries([...labels.matchAll(/org\.opencontainers\.image\.(\w+)="([^"]*)"/g)].map((m) => m.slice(1))),
    ).toEqual({
      title: 'Mayfly',
      description: manifest.description,
      licenses: manifest.license,
    })
    expect(steps.filter(([name]) => name === 'FROM').map(([, from]) => from)).toEqual([
      `node:\${NODE}-bookworm\${BUILD_DIGEST} AS build`,
      `node:\${NODE}-bookworm-slim\${RUN_DIGEST}`,
    ])
  })

  test('the image has a supported version of Node.js', () => {
    const [, version] = /^ARG NODE=(\d+)$/m.exec(read('Dockerfile')) ?? []
    expect(Number(version)).toBeGreaterThanOrEqual(Number(/\d+/.exec(manifest.engines.node)?.[0]))
  })

  test('the health check uses the Node.js of the image', async () => {
    const [check = ''] = of('HEALTHCHECK')
    const [program, ...args] = JSON.parse(check.slice(check.indexOf('['))) as string[]
    expect(program).toBe('node')
    const asked: (string | undefined)[] = []
    const server = createServer(({ url }, response) => {
      asked.push(url)
      response.writeHead(asked.length === 1 ? 204 : 503).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const exitCode = () =>
      new Promise((resolve) => execFile(process.execPath, args, { env: { MAYFLY_PORT: `${port}` } }, resolve))
    expect(await exitCode()).toBeNull()
    expect(await exitCode()).toMatchObject({ code: 1 })
    server.close()
    expect(await exitCode()).toMatchObject({ code: 1 })
    expect(asked).toEqual(['/healthz', '/healthz'])
  })

  test('the build context contains what the build reads and only files of the repository', () => {
    const lines = read('.dockerignore').split('\n')
    expect(lines).toContain('*')
    const taken = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
    expect(taken.filter((name) => !existsSync(join(ROOT, name)))).toEqual([])
    const packed = manifest.files.filter((name) => !/^!|^dist$/.test(name)).map((name) => name.replace(/\/.*/, ''))
    expect(taken).toEqual(expect.arrayContaining([...packed, 'package.json', 'package-lock.json', 'tsup.config.ts']))
  })
})

interface Service {
  image: string
  build?: string
  environment: Record<string, string>
  secrets?: string[]
  volumes?: string[]
  networks: string[] | Record<string, { ipv4_address?: string }>
  ports?: string[]
  read_only?: boolean
  cap_drop?: string[]
  cap_add?: string[]
  security_opt?: string[]
  stop_grace_period?: string
  logging?: { driver: string }
  depends_on?: Record<string, { condition: string }>
}
interface Compose {
  services: Record<string, Service>
  volumes: Record<string, null>
  networks: Record<string, unknown>
  secrets?: Record<string, { file: string }>
}

describe.each(['compose.yaml', 'compose.postgres.yaml', 'compose.postgres-volume.yaml'])('%s', (name) => {
  const path = join('docs/install', name)
  const { services, volumes, networks, secrets = {} } = parse(read(path)) as Compose
  const { mayfly } = services
  if (!mayfly) throw new Error(`${name} has no service "mayfly"`)

  test('compose builds the Dockerfile and sets existing settings', () => {
    expect(normalize(join(dirname(path), mayfly.build ?? ''))).toMatch(/^\.\/?$/)
    expect(Object.keys(mayfly.environment).filter((each) => !known.has(each))).toEqual([])
    expect(Object.keys(mayfly.environment).length).toBeGreaterThan(1)
    expect(mayfly.volumes).toEqual(['data:/data'])
  })

  test('compose drops unneeded privileges of every service', () => {
    for (const { read_only, cap_drop, cap_add = [], security_opt } of Object.values(services)) {
      expect({ read_only, cap_drop, security_opt }).toEqual({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      })
      expect(cap_add.filter((each) => each !== 'NET_BIND_SERVICE')).toEqual([])
    }
    // Ten seconds for requests that run: see DRAIN_MS of `serve`.
    expect(Number.parseInt(mayfly.stop_grace_period ?? '', 10)).toBeGreaterThan(10)
    const open = Object.entries(services).flatMap(([each, { ports = [] }]) =>
      ports.filter((port) => each !== 'caddy' && !`${port}`.startsWith('127.0.0.1:')),
    )
    expect(open).toEqual([])
  })

  test('compose rotates the log of every service', () => {
    const drivers = Object.values(services).map(({ logging }) => logging?.driver)
    expect(drivers).toEqual(drivers.map(() => 'local'))
  })

  test('compose keeps passwords in secret files', () => {
    for (const { environment, secrets: used = [], volumes: mounts = [], networks: on, depends_on } of Object.values(
      services,
    )) {
      const secret = Object.entries(environment).filter(([each]) => /PASSWORD|SECRET|DATABASE_URL/.test(each))
      for (const [each, value] of secret) {
        expect(each).toMatch(/_FILE$/)
        expect(used).toContain(value.replace('/run/secrets/', ''))
      }
      expect(used.filter((each) => !(each in secrets))).toEqual([])
      const named = mounts.map((mount) => mount.replace(/:.*/, '')).filter((from) => !from.startsWith('.'))
      expect(named.filter((each) => !(each in volumes))).toEqual([])
      expect((Array.isArray(on) ? on : Object.keys(on)).filter((each) => !(each in networks))).toEqual([])
      expect(Object.keys(depends_on ?? {}).filter((each) => !(each in services))).toEqual([])
    }
  })

  test('services start after those they need are healthy', () => {
    const needed = Object.entries(services).map(([each, { depends_on = {} }]) => [each, depends_on])
    const healthy = { condition: 'service_healthy' }
    expect(Object.fromEntries(needed)).toEqual(
      services.caddy ? { mayfly: { postgres: healthy }, postgres: {}, caddy: { mayfly: healthy } } : { mayfly: {} },
    )
  })

  test('compose trusts only the proxy for client addresses', () => {
    const caddy = services.caddy?.networks ?? {}
    const proxies = Object.values(caddy).map((each) => (each as { ipv4_address?: string }).ipv4_address)
    const gateways = [...read(path).matchAll(/gateway: (\S+)/g)].map(([, address]) => address)
    expect(services.caddy ? proxies : gateways).toEqual([mayfly.environment.MAYFLY_TRUSTED_PROXIES])
  })
})

test('the Caddyfile of compose forwards requests for its site', needs('caddy'), () => {
  const args = ['adapt', '--config', join(ROOT, 'docs/install/Caddyfile'), '--adapter', 'caddyfile']
  const env = { PATH: process.env.PATH, HOME: tmpdir(), SITE: 'secrets.example.org' }
  const { stdout, stderr } = spawnSync('caddy', args, { env, encoding: 'utf8' })
  expect(stdout, stderr).toContain('"host":["secrets.example.org"]')
  expect(stdout).toContain('"dial":"mayfly:3000"')
  // Caddy trusts no other proxy, so it replaces a caller's X-Forwarded-For.
  expect(stdout).not.toContain('trusted_proxies')
})
