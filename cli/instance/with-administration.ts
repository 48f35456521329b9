/**
 * Chooses where administration works: on the instance of this machine, or over the HTTP API with --server or --profile.
 * Variables never choose a server here: a shell with MAYFLY_SERVER for secrets would otherwise change that server
 * instead of the instance of its folder.
 */
import type { ServerFlags } from '../client/server-client.js'
import type { GlobalFlags, Option } from '../commands/command.js'
import { CliError } from '../lib/cli-error.js'
import type { Io } from '../output/io.js'
import type { Administration } from './administration.js'
import { INSTANCE_OPTIONS, type InstanceFlags } from './instance-options.js'

export type AdminFlags = InstanceFlags & ServerFlags

/** For commands that work on both. */
export const ADMIN_OPTIONS: Option[] = [
  ['-s, --server <url>', 'use this server with an API token of an administrator, not the instance of this machine'],
  ...INSTANCE_OPTIONS,
]

/** Throws CliError `usage` if the flags name a server: a token must not be able to take over the accounts of others. */
export function assertLocal(flags: AdminFlags & GlobalFlags, what: string): void {
  if (!isRemote(flags)) return
  const hint = 'a token cannot grant more than its own rights; leave out --server and --profile'
  throw new CliError('usage', `${what} on the machine of the instance only`, hint)
}

const isRemote = ({ server, profile }: AdminFlags & GlobalFlags) => server !== undefined || profile !== undefined

/** Prints which instance it uses, and runs `work`. Throws CliError `denied` without a token for the server. */
export async function withAdministration<T>(
  flags: AdminFlags & GlobalFlags,
  io: Io,
  work: (administration: Administration) => Promise<T>,
): Promise<T> {
  if (isRemote(flags)) {
    const { openRemoteAdministration } = await import('./remote-administration.js')
    return work(await openRemoteAdministration(flags, io))
  }
  const { toLocalAdministration } = await import('./local-administration.js')
  const { withLocalApp } = await import('./local-app.js')
  return withLocalApp(flags, io, (app) => work(toLocalAdministration(app)))
}
