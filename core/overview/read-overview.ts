/** Overview for administrators: amounts, failed deliveries and problems. */
import type { App } from '../app.js'
import { readStorageUsage } from '../attachments/quotas.js'
import type { OutboxEntry } from '../contracts/outbox.js'
import type { Overview } from '../shared/api/index.js'
import { problem, type ServerFinding } from './finding.js'
import { checkConnection, checkExposure, checkNodeVersion, checkQueues } from './instance-checks.js'
import { checkAdministratorFactors, checkFactorKey, checkPasskeyHost } from './second-factor-checks.js'

/** Number of waiting events of a channel that are read, the newest first. */
const WAITING_MAX = 100

export async function readOverview(app: App, version: string): Promise<Overview> {
  const [{ total: users }, { live: liveSecrets }, storage, failures, problems] = await Promise.all([
    app.storage.users.list({}, { skip: 0, take: 1 }, app.now()),
    app.background.stats.read(),
    readStorageUsage(app),
    findFailures(app),
    findProblems(app),
  ])
  return { version, users, liveSecrets, storage, failures, problems }
}

/**
 * The newest event of each channel whose last attempt failed. Without the webhooks of users, who see them themselves.
 */
async function findFailures({ channels, storage }: App): Promise<Overview['failures']> {
  const found = await Promise.all(
    channels.subscribers.map(async ({ name }) => {
      const [dead, waiting] = await Promise.all([
        storage.outbox.list({ subscriber: name, state: 'dead' }, { skip: 0, take: 1 }),
        storage.outbox.list({ subscriber: name, state: 'pending' }, { skip: 0, take: WAITING_MAX }),
      ])
      return newestOf([...dead, ...waiting.filter(({ attempts }) => attempts > 0)])
    }),
  )
  return found
    .filter((event) => event !== null)
    .map(({ subscriber, createdAt, result }) => ({ channel: subscriber, at: createdAt, result: result ?? '' }))
}

const newestOf = (events: OutboxEntry[]): OutboxEntry | null =>
  events.reduce<OutboxEntry | null>(
    (newest, event) => (newest && newest.createdAt >= event.createdAt ? newest : event),
    null,
  )

/** The problems among the findings of `mayfly doctor` that a running server can check. */
async function findProblems({ storage, config, background, now }: App): Promise<Overview['problems']> {
  const findings: ServerFinding[] = [
    checkNodeVersion(process.versions.node, now()),
    ...checkExposure(config),
    ...checkConnection(storage),
    ...(await checkAdministratorFactors(storage, now())),
    ...(await checkFactorKey(storage, config)),
    ...(await checkPasskeyHost(storage, config)),
    ...(await checkQueues(storage)),
  ]
  const parts = await background.health.parts()
  for (const { name, isUp } of parts) {
    if (!isUp) findings.push(problem('part_down', { part: name }))
  }
  return findings
    .filter((finding) => finding.level !== 'ok')
    .map(({ section, check, level, message, fix, code, params }) => ({
      level,
      message: `${section}: ${check}: ${message}`,
      fix,
      code,
      params,
    }))
}
