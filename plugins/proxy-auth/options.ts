/** In which headers which proxy says who is calling. */
import { z } from '#core'

const split = (value: unknown) =>
  typeof value === 'string' ? value.split(',').flatMap((item) => item.trim() || []) : value
const list = z.preprocess(split, z.array(z.string()))
const flag = z.union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })])
const header = z.string().regex(/^([A-Za-z][A-Za-z0-9-]*)?$/, 'Invalid: letters, digits and "-"')

export const options = z.object({
  id: z
    .string()
    .regex(/^(?!local$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'Invalid: lower-case words joined by "-", and not "local"')
    .max(64)
    .default('proxy')
    .describe('names the proxy for ever: another one needs another id'),
  from: z
    .preprocess(split, z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])).min(1))
    .describe('addresses or CIDR ranges of the proxy; from anywhere else its headers count for nothing'),
  preset: z
    .enum(['authelia', 'authentik', 'oauth2-proxy'])
    .default('authelia')
    .describe('whose headers; those below replace some of them'),
  subjectHeader: header.default('').describe('what names somebody for ever'),
  userHeader: header.default('').describe('what they are called'),
  emailHeader: header.default('').describe('their e-mail address'),
  groupsHeader: header.default('').describe('their groups'),
  signOutUrl: z
    .string()
    .regex(/^(|https?:\/\/[^\s\\]+|\/([^\s/\\][^\s\\]*)?)$/, 'Invalid: an http(s) address, or a path of this host')
    .default('')
    .describe('where people sign out of the proxy, too; empty: they are told that it still knows them'),
  adminGroups: list.default([]).describe('groups of administrators; empty: roles are given here'),
  signUp: flag.default(true).describe('people without an account get one'),
  linkByEmail: flag
    .default(false)
    .describe('who comes with the address of an account gets that account; its password and tokens end'),
})

export interface HeaderNames {
  subject: string
  user: string
  email: string
  groups: string
  /** Between two groups. */
  between: string
}

const PRESETS: Record<string, HeaderNames> = {
  authelia: {
    ...{ subject: 'remote-user', user: 'remote-user', email: 'remote-email' },
    ...{ groups: 'remote-groups', between: ',' },
  },
  authentik: {
    ...{ subject: 'x-authentik-uid', user: 'x-authentik-username', email: 'x-authentik-email' },
    ...{ groups: 'x-authentik-groups', between: '|' },
  },
  'oauth2-proxy': {
    ...{ subject: 'x-forwarded-user', user: 'x-forwarded-preferred-username', email: 'x-forwarded-email' },
    ...{ groups: 'x-forwarded-groups', between: ',' },
  },
}

/** Lower-case, as node:http has them. */
export function headerNames(given: z.output<typeof options>): HeaderNames {
  const preset = PRESETS[given.preset] as HeaderNames
  return {
    subject: given.subjectHeader.toLowerCase() || preset.subject,
    user: given.userHeader.toLowerCase() || preset.user,
    email: given.emailHeader.toLowerCase() || preset.email,
    groups: given.groupsHeader.toLowerCase() || preset.groups,
    between: preset.between,
  }
}
