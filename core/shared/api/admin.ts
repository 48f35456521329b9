/** Schemas of administration: users and instance settings. */
import { z } from 'zod'
import {
  choicesOf,
  isFlag,
  isPublicSetting,
  mapSettings,
  SETTING_NAMES,
  type SettingName,
  type InstanceSettings as SettingValues,
} from '../instance-settings.js'
import { Account, DeleteToken, Email, Username } from './account.js'
import { accountPassword, generated, isOneLine, Page, role, time } from './common.js'

export const ListUsers = z.strictObject({
  skip: Page.shape.skip,
  take: Page.shape.take.unwrap().default(10),
  search: z.string().max(255).refine(isOneLine, 'must be one line without control characters').default(''),
  role: role.optional(),
})

/** An account as administrators see it. */
export const ManagedAccount = Account.omit({ notifications: true, signInAlerts: true })

export const ListedUser = ManagedAccount.extend({ secrets: z.int().describe('number of live secrets of the user') })

export type ListedUser = z.infer<typeof ListedUser>

export const Users = z.object({ users: z.array(ListedUser), total: z.int() })

export type Users = z.infer<typeof Users>

export const CreateUser = z.strictObject({
  username: Username,
  password: accountPassword,
  email: Email,
  role: role.default('user'),
  generated: generated.default(true),
})

export type CreateUser = z.input<typeof CreateUser>

export const UpdateUser = z.strictObject({ username: Username, email: Email.optional(), role: role.optional() })

export type UpdateUser = z.input<typeof UpdateUser>

export const DeleteUser = z.strictObject({ username: Username })

export const ListUserTokens = DeleteUser

export const DeleteUserToken = DeleteToken.extend({ username: Username })

export const EndUserSessions = DeleteUser

export const EndedSessions = z.object({ ended: z.int().describe('number of ended sessions') })

export const StorageUsage = z.object({
  usedBytes: z.int().describe('bytes of all files and uploads'),
  limitBytes: z.int().nullable().describe('null: no limit'),
})

export type StorageUsage = z.infer<typeof StorageUsage>

const auditText = z.string().max(255).refine(isOneLine, 'must be one line without control characters').optional()
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
    id: z.string(),
    at: time,
    action: z.string(),
    actor: z
      .string()
      .nullable()
      .describe('username; `(shell)`: the command line on the machine of the instance; null: a visitor'),
    subject: z.string().nullable().describe('a username, the start of the id of a secret, the name of a setting'),
    address: z.string().nullable().describe('network of the client as CIDR'),
    detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  }),
)

export type AuditEntries = z.infer<typeof AuditEntries>

/** A boolean, a whole number or a text. */
const settingValue = z.union([z.boolean(), z.int(), z.string().max(2000)])

export const PluginSetting = z.object({
  name: z.string().describe('plugin and setting, such as `notes.banner`'),
  plugin: z.string(),
  type: z.enum(['boolean', 'number', 'text', 'choice']),
  value: settingValue,
  default: settingValue,
  label: z.string().describe('empty: use the name'),
  hint: z.string(),
  choices: z.array(z.string()).describe('values of a choice'),
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
