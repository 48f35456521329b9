/** What the product can do, independent of HTTP: made once from the filled slots. */
import { type DownloadsService, downloadsService } from './attachments/downloads.js'
import { type AttachmentSettings, type AttachmentsService, attachmentsService } from './attachments/service.js'
import type { FileStore } from './contracts/file-store.js'
import type { Storage } from './contracts/storage.js'
import type { Emit } from './events.js'
import type { Log } from './log.js'
import { type SecretsService, type SecretsSettings, secretsService } from './secrets/service.js'
import { type SettingsService, settingsService } from './settings/service.js'
import { type Sweeper, startSweeper } from './sweeper.js'

/** The settings that the services obey; the config folder says what each means. */
export interface ServiceSettings extends SecretsSettings, AttachmentSettings {
  downloadGraceSeconds: number
  sweepSeconds: number
}

export interface Services {
  secrets: SecretsService
  attachments: AttachmentsService
  downloads: DownloadsService
  settings: SettingsService
  sweeper: Sweeper
}

/** Starts the sweeper too; stop it with `sweeper.stop()`. `files` null: no files here. `now` answers epoch ms. */
export function createServices(
  { storage, files }: { storage: Storage; files: FileStore | null },
  settings: ServiceSettings,
  { emit, log, now }: { emit: Emit; log: Log; now: () => number },
): Services {
  const instance = settingsService(storage.settings, now)
  const sweeper = startSweeper({ storage, files, emit, log, now, everyMs: settings.sweepSeconds * 1000 })
  const shared = { store: storage.attachments, files, settings, now }
  const attachments = attachmentsService({ ...shared, instance, sweepSoon: sweeper.sweepFilesSoon })
  const downloads = downloadsService(shared)
  const secrets = secretsService({
    store: storage.secrets,
    ...{ instance, attachments, downloads, settings, emit, now },
    tidyUp: ({ hasFiles }) => {
      sweeper.scrubSoon()
      if (hasFiles) sweeper.sweepFilesSoon()
    },
  })
  return { secrets, attachments, downloads, settings: instance, sweeper }
}
