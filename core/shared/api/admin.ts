/** Schemas of administration: users and instance settings. */
import { z } from 'zod'
import { STATS_LIVE_MAX } from '../account-limits.js'
import {
  choicesOf,
  isFlag,
  isPublicSetting,
  mapSettings,
  SETTING_NAMES,
  type SettingName,
  type InstanceSettings as SettingValues,
} from '../instance-settings.js'
import { GROUP_NAME_MAX, GROUPS_MAX } from '../policies.js'
import { Account, DeleteToken, Email, Keep, Username } from './account.js'
import { accountPassword, count, generated, isOneLine, isWellFormed, Page, role, shortText, time } from './common.js'
import { limitedList } from './limited-list.js'

export const ListUsers = z.strictObject({
  skip: Page.shape.skip,
  take: Page.shape.take.unwrap().default(10),
  search: z
    .string()
    .max(255, { abort: true })
    .refine(isOneLine, 'must be one line without control characters')
    .default(''),
  role: role.optional(),
})

/** An account in responses to administrators. */
export const ManagedAccount = Account.omit({ notifications: true, signInAlerts: true, defaults: true }).extend({
  suspendedAt: time.nullable().describe('since when the account cannot be used; null: it is active'),
  signedInAt: time.nullable().describe('last sign-in; null: never'),
  groups: z
    .array(shortText)
    .describe('groups that an administrator set; groups of a sign-in provider count in addition'),
})

export type ManagedAccount = z.infer<typeof ManagedAccount>

export const ListedUser = ManagedAccount.extend({
  secrets: count.describe('number of live secrets of the user'),
  passkeys: count,
  authenticator: z.boolean().describe('the user has an authenticator app'),
  graceEndsAt: time
    .nullable()
    .describe('from when on the account can only add the required second factor; null: not required'),
})

export type ListedUser = z.infer<typeof ListedUser>

export const Users = z.object({ users: z.array(ListedUser), total: count })

export type Users = z.infer<typeof Users>

const groupName = z
  .string()
  .trim()
  .min(1)
  .max(GROUP_NAME_MAX, { abort: true })
  .refine((name) => isWellFormed(name) && isOneLine(name), 'must be one line without control characters')

const assignedGroups = limitedList(groupName, { max: GROUPS_MAX }).describe(
  'groups for policies; replaces the groups that an administrator set before',
)

export const CreateUser = z.strictObject({
  username: Username,
  password: accountPassword,
  email: Email,
  role: role.default('user'),
  generated: generated.default(true),
  emailVerified: z.boolean().default(false).describe('true: the address counts as verified, and no link is sent to it'),
  groups: assignedGroups.default([]),
})

export type CreateUser = z.input<typeof CreateUser>

export const UpdateUser = z.strictObject({
  username: Username,
  email: Email.optional(),
  emailVerified: z.literal(true).optional().describe('the address counts as verified'),
  role: role.optional(),
  groups: assignedGroups.optional(),
  suspended: z
    .boolean()
    .optional()
    .describe('true: sessions and API tokens are refused until it is false again; links to secrets keep working'),
})

export type UpdateUser = z.input<typeof UpdateUser>

export const DeleteUser = z.strictObject({ username: Username })

export const ListUserTokens = DeleteUser

export const DeleteUserToken = DeleteToken.extend({ username: Username })

export const ListUserAccess = DeleteUser

export const RevokeUserAccess = z.strictObject({
  username: Username,
  kind: z.enum(['session', 'token', 'identity', 'webhook', 'factor']),
  id: DeleteToken.shape.id,
})

export type RevokeUserAccess = z.output<typeof RevokeUserAccess>

export const LockOutUser = z.strictObject({
  username: Username,
  password: accountPassword.optional().describe('new password, which the user has to change; not with an API token'),
  keep: Keep.default({}),
})

export type LockOutUser = z.output<typeof LockOutUser>

export const EndUserSessions = DeleteUser

export const ResetFactors = DeleteUser

export const EndedSessions = z.object({ ended: count.describe('number of ended sessions') })

export const StorageUsage = z.object({
  usedBytes: count.describe('bytes of all files and uploads'),
  limitBytes: count.nullable().describe('null: no limit'),
})

export type StorageUsage = z.infer<typeof StorageUsage>

const findingText = z.string().describe('in English, as the command `mayfly doctor` prints it')

export const Overview = z.object({
  version: shortText,
  users: count,
  liveSecrets: count.describe(`counted up to ${STATS_LIVE_MAX}`),
  storage: StorageUsage,
  failures: z
    .array(z.object({ channel: shortText, at: time.describe('when the event happened'), result: shortText }))
    .describe('the newest event of each channel whose last attempt failed, without webhooks of users'),
  problems: z.array(
    z.object({
      level: z.enum(['warn', 'fail']),
      message: findingText,
      fix: findingText,
      code: shortText.describe('the kind of problem, for clients with their own texts'),
      params: z.record(z.string(), z.string()).describe('names and values that the text contains'),
    }),
  ),
})

export type Overview = z.infer<typeof Overview>

const auditText = z
  .string()
  .max(255, { abort: true })
  .refine(isOneLine, 'must be one line without control characters')
  .optional()
const auditTime = z
  .string()
  .regex(/^\d{1,15}$/, 'must be epoch ms')
  .transform(Number)
  .optional()

export const ListAudit = Page.extend({
  action: auditText,
  actor: auditText,
  subject: auditText,
  since: auditTime.describe('epoch ms, inclusive'),
  until: auditTime.describe('epoch ms, exclusive'),
})

export const AuditEntries = z.array(
  z.object({
    id: shortText,
    at: time,
    action: shortText,
    actor: z
      .string()
      .nullable()
      .describe('username; `(shell)`: the command line on the machine of the instance; null: a visitor'),
    subject: shortText.nullable().describe('a username, the start of the id of a secret, the name of a setting'),
    address: shortText.nullable().describe('network of the client as CIDR'),
    detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  }),
)

export type AuditEntries = z.infer<typeof AuditEntries>

/** A boolean, a whole number or a text. */
const settingValue = z.union([z.boolean(), z.int(), z.string().max(2000)])

export const PluginSetting = z.object({
  name: shortText.describe('plugin and setting, such as `notes.banner`'),
  plugin: shortText,
  type: z.enum(['boolean', 'number', 'text', 'choice']),
  value: settingValue,
  default: settingValue,
  label: shortText.describe('empty: use the name'),
  hint: shortText,
  choices: z.array(shortText).describe('values of a choice'),
  min: z.int().nullable().describe('of a number'),
  max: z.int().nullable().describe('of a number'),
})

export type PluginSetting = z.infer<typeof PluginSetting>

export const PluginSettings = z.array(PluginSetting)

export const UpdatePluginSettings = z
  .record(z.string().max(64), settingValue)
  .describe('values by name; a text is converted to the type of the setting')

/** Schemas of the settings with these names. */
function settingShape<Name extends SettingName>(names: Name[]) {
  return mapSettings(names, schemaOf) as { [Each in Name]: z.ZodType<SettingValues[Each]> }
}

function schemaOf(name: SettingName): z.ZodType<boolean> | z.ZodType<string> {
  const choices = choicesOf(name)
  if (choices) return z.enum(choices)
  return isFlag(name) ? z.boolean() : z.string().describe('comma-separated e-mail domains; empty: any')
}

/** For the response to everyone. */
export const PublicInstanceSettings = z.object(settingShape(SETTING_NAMES.filter(isPublicSetting)))

export const InstanceSettings = z.object(settingShape(SETTING_NAMES))

export type InstanceSettings = SettingValues

export const UpdateInstanceSettings = z.strictObject(InstanceSettings.partial().shape)
