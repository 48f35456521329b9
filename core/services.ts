/** What the product can do, independent of HTTP: made once from the filled slots. */
import type { Storage } from './contracts/storage.js'
import type { Emit } from './events.js'
import type { Log } from './log.js'
import { type SecretsService, type SecretsSettings, secretsService } from './secrets/service.js'
import { type Sweeper, startSweeper } from './secrets/sweeper.js'
import { type SettingsService, settingsService } from './settings/service.js'

/** The settings that the services obey; the config folder says what each means. */
export interface ServiceSettings extends SecretsSettings {
  sweepSeconds: number
}

export interface Services {
  secrets: SecretsService
  settings: SettingsService
  sweeper: Sweeper
}

/** Starts the sweeper too; stop it with `sweeper.stop()`. `now` answers epoch ms. */
export function createServices(
  storage: Storage,
  settings: ServiceSettings,
  { emit, log, now }: { emit: Emit; log: Log; now: () => number },
): Services {
  const instance = settingsService(storage.settings, now)
  const sweeper = startSweeper({ storage, emit, log, now, everyMs: settings.sweepSeconds * 1000 })
  const secrets = secretsService({ store: storage.secrets, instance, settings, emit, now, scrub: sweeper.scrubSoon })
  return { secrets, settings: instance, sweeper }
}
