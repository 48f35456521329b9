/** The reverse proxies that the documents have examples for: run one. */
import { type ChildProcess, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export type ProxyName = 'nginx' | 'haproxy' | 'caddy'

const PATH = `${process.env.PATH}:/usr/sbin`
const COMMANDS: Record<ProxyName, (file: string) => [program: string, ...args: string[]]> = {
  nginx: (file) => ['nginx', '-c', file, '-g', 'daemon off;'],
  haproxy: (file) => ['haproxy', '-db', '-f', file],
  caddy: (file) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', file],
}
const LANGUAGES: Record<ProxyName, string> = { nginx: 'nginx', haproxy: 'haproxy', caddy: 'caddyfile' }

/** The examples for a proxy in the text of a page, in order. */
export function examplesOf(page: string, name: ProxyName): string[] {
  return [...page.matchAll(new RegExp(`\`\`\`${LANGUAGES[name]}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, code = '']) => code,
  )
}

/** A complete configuration of nginx with these servers. */
export const nginxAround = (servers: string, folder: string): string =>
  `pid ${folder}/nginx.pid; error_log stderr; events {} http {
    client_body_temp_path ${folder}; proxy_temp_path ${folder};
    ${servers} }`

/** Runs the proxy with this config. The caller must stop it. `folder`: for its files. */
export async function startProxy(name: ProxyName, config: string, folder: string): Promise<ChildProcess> {
  const file = join(folder, `${name}.conf`)
  await writeFile(file, config)
  const [program, ...args] = COMMANDS[name](file)
  return spawn(program, args, { stdio: 'ignore', env: { PATH, HOME: folder } })
}
