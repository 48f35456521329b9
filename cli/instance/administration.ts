/** Administration of users, settings, tokens and the audit log, on this machine or over the HTTP API. */
import type { AuditEntry } from '#core'
import type {
  Access,
  CreatedSecret,
  CreateSecret,
  CreateUser,
  ExplainedPolicy,
  LockOutUser,
  ManagedAccount,
  PluginSetting,
  PolicyTable,
  Presets,
  RevokeUserAccess,
  Token,
  UpdatePolicies,
  UpdatePresets,
  UpdateUser,
  Users,
} from '#shared/api'
import type { EpochMs } from '#shared/epoch-ms'
import type { InstanceSettings } from '#shared/instance-settings'
import type { SettingValue } from '#shared/plugin-setting'

export interface AuditQuery {
  action?: string
  actor?: string
  subject?: string
  /** Inclusive. */
  since?: EpochMs
  /** Exclusive. */
  until?: EpochMs
}

export interface UserFacts {
  username: string
  email: string
  role: 'user' | 'admin'
  /** Groups that an administrator set, sorted. */
  groups: string[]
}

interface PageOf {
  skip: number
  take: number
}

/** Methods throw CliError, AppError or ApiError. */
export interface Administration {
  /** For links with credentials. Null when it is unknown. */
  publicUrl: string | null
  passwordMax: number
  listUsers(query: { search: string; role?: 'user' | 'admin' } & PageOf): Promise<Users>
  findUser(username: string): Promise<UserFacts | null>
  createUser(user: CreateUser): Promise<unknown>
  updateUser(changes: UpdateUser): Promise<ManagedAccount>
  /** Also deletes the API tokens. */
  endSessions(username: string): Promise<{ ended: number }>
  listAccess(username: string): Promise<Access>
  revokeAccess(access: RevokeUserAccess): Promise<unknown>
  lockOut(order: LockOutUser): Promise<ManagedAccount>
  /** Removes the second factors, and ends the sessions if there was one. */
  resetFactors(username: string): Promise<ManagedAccount>
  removeUser(username: string): Promise<unknown>
  listTokens(username: string): Promise<Token[]>
  deleteToken(username: string, id: string): Promise<unknown>
  readSettings(): Promise<InstanceSettings>
  updateSettings(changes: Partial<InstanceSettings>): Promise<InstanceSettings>
  readPolicies(): Promise<PolicyTable>
  /** Replaces the given rows; null removes one. Returns all. */
  updatePolicies(changes: UpdatePolicies): Promise<PolicyTable>
  readPresets(): Promise<Presets>
  /** Replaces all presets. */
  updatePresets(changes: UpdatePresets): Promise<Presets>
  /** Of a user, or of visitors. */
  explainPolicy(username: string | undefined): Promise<ExplainedPolicy>
  /** Instance settings of plugins. */
  listPluginSettings(): Promise<PluginSetting[]>
  /** Returns all of them. */
  updatePluginSettings(changes: Record<string, SettingValue>): Promise<PluginSetting[]>
  /** Newest first. */
  listAudit(query: AuditQuery, page: PageOf): Promise<AuditEntry[]>
  createSecret(body: CreateSecret): Promise<CreatedSecret>
  burnSecret(id: string, burnToken: string): Promise<unknown>
}
