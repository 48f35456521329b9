import { flag, list, splitList, z } from '#core'
import { lookUp } from '#shared/look-up'
import { expandAnyAddress, isWideRange, WIDE_RANGE_MESSAGE } from '#shared/proxy-ranges'

const header = z.string().regex(/^([A-Za-z][A-Za-z0-9-]*)?$/, 'must be letters, digits and "-"')

function proxyNetwork() {
  return z
    .union([z.literal('any'), z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'must be IP addresses or CIDR ranges')
    .refine((range) => !isWideRange(range), WIDE_RANGE_MESSAGE)
}

export const options = z.object({
  id: z
    .string()
    .regex(/^(?!local$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'must be lower-case words joined by "-", and not "local"')
    .max(64)
    .default('proxy')
    .describe('permanent id of the proxy; never reuse it for another proxy'),
  from: z
    .preprocess(splitList, z.array(proxyNetwork()).min(1))
    .transform(expandAnyAddress)
    .describe(
      'IP addresses or CIDR ranges of the proxy; its headers are ignored from other addresses; any: every address',
    ),
  preset: z
    .enum(['authelia', 'authentik', 'oauth2-proxy'])
    .default('authelia')
    .describe('header names to use; the options below override them'),
  subjectHeader: header.default('').describe('header with the permanent id of the user'),
  userHeader: header.default('').describe('header with the username'),
  emailHeader: header.default('').describe('header with the e-mail address'),
  groupsHeader: header.default('').describe('header with the groups'),
  signOutUrl: z
    .string()
    .regex(/^(|https?:\/\/[^\s\\]+|\/([^\s/\\][^\s\\]*)?)$/, 'must be an http(s) URL, or a path on this host')
    .default('')
    .describe(
      'URL that signs users out of the proxy as well; empty: a notice says that they are still signed in there',
    ),
  adminGroups: list()
    .default([])
    .describe('groups whose members are administrators; empty: roles are assigned in Mayfly'),
  creatorGroups: list()
    .default([])
    .describe(
      'groups whose members may create secrets and requests, besides administrators; empty: every user of the proxy',
    ),
  signUp: flag().default(true).describe('create accounts for new users'),
  linkByEmail: flag()
    .default(false)
    .describe(
      'link a sign-in to the existing account with the same e-mail address; the password and tokens of that account are removed',
    ),
})

export interface HeaderNames {
  subject: string
  user: string
  email: string
  groups: string
  /** Between two groups. */
  separator: string
}

const PRESETS: Record<string, HeaderNames> = {
  authelia: {
    subject: 'remote-user',
    user: 'remote-user',
    email: 'remote-email',
    groups: 'remote-groups',
    separator: ',',
  },
  authentik: {
    subject: 'x-authentik-uid',
    user: 'x-authentik-username',
    email: 'x-authentik-email',
    groups: 'x-authentik-groups',
    separator: '|',
  },
  'oauth2-proxy': {
    subject: 'x-forwarded-user',
    user: 'x-forwarded-preferred-username',
    email: 'x-forwarded-email',
    groups: 'x-forwarded-groups',
    separator: ',',
  },
}

/** The header names in lower case, as in node:http. */
export function toHeaderNames(values: z.output<typeof options>): HeaderNames {
  const preset = lookUp(PRESETS, values.preset) as HeaderNames
  return {
    subject: values.subjectHeader.toLowerCase() || preset.subject,
    user: values.userHeader.toLowerCase() || preset.user,
    email: values.emailHeader.toLowerCase() || preset.email,
    groups: values.groupsHeader.toLowerCase() || preset.groups,
    separator: preset.separator,
  }
}
