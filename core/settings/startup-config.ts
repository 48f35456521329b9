import type { ProcessRole } from '../shared/process-role.js'

/** The start-up configuration that the use cases read. The config folder describes each field. */
export interface StartupConfig {
  publicUrl: string
  /** Allowed Host headers in addition to the host of `publicUrl`. */
  allowedHosts: string[]
  dataDir: string
  /** 32 bytes in hex or base64url; '' for a key that the storage keeps. */
  instanceKey: string
  /** Before encryption. */
  maxTextBytes: number
  /** Longest time to live, in seconds. */
  ttlMaxAnonymous: number
  ttlMaxUser: number
  /** How long a claim gets the same response again. */
  readGraceSeconds: number
  downloadGraceSeconds: number
  /** Before encryption. */
  maxFileBytes: number
  maxFiles: number
  visitorUploads: boolean
  visitorBytesPerDay: number
  /** null: no limit. */
  userBytesPerDay: number | null
  /** Of all files and uploads; null: no limit. */
  instanceBytes: number | null
  maxOpenUploads: number
  passwordMin: number
  passwordMax: number
  /** Maximum number of events that wait for a subscriber. */
  maxWaitingEvents: number
  /** Name of the rate-limit store plugin; '' for the counters of the storage, `off` for no limits. */
  limits: string
  limitFactor: number
  trustedProxies: string[]
  auditDays: number
  /** Whether the audit log contains events of secrets. */
  auditSecrets: boolean
  cleanupSeconds: number
  /** Who can read the statistics. */
  statsFor: 'anyone' | 'admin'
  /** Role of this process. */
  role: ProcessRole
}

/** The start-up configuration of an instance, with the fields that are read at start only. */
export interface AppSettings extends StartupConfig {
  /** Name of the storage plugin. */
  storage: string
  /** Name of the file store plugin; '' for no file store. */
  files: string
  /** Names of the auth provider plugins, in order. */
  auth: string[]
  /** Origins that may use the API by CORS. */
  corsOrigins: string[]
  /** `publicUrl` was derived from the port because none is configured, so every address of this machine is allowed. */
  anyAddress?: boolean
}
