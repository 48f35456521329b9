/** Schemas of administration: users and instance settings. */
import { z } from 'zod'
import { Account, Email, Username } from './account.js'
import { accountPassword, generated, isOneLine, Page, role } from './common.js'

export const ListUsers = z.strictObject({
  skip: Page.shape.skip,
  take: Page.shape.take.unwrap().default(10),
  search: z.string().max(255).refine(isOneLine, 'must be one line without control characters').default(''),
  role: role.optional(),
})

export const ListedUser = Account.extend({ secrets: z.int().describe('number of live secrets of the user') })

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

export const EndUserSessions = DeleteUser

export const EndedSessions = z.object({ ended: z.int().describe('number of ended sessions') })

export const InstanceSettings = z.object({
  disable_users: z.boolean(),
  disable_user_account_creation: z.boolean(),
  read_only: z.boolean(),
  disable_file_upload: z.boolean(),
  restrict_organization_email: z.string().describe('comma-separated e-mail domains; empty: any'),
})

export type InstanceSettings = z.infer<typeof InstanceSettings>

export const UpdateInstanceSettings = z.strictObject(InstanceSettings.partial().shape)
