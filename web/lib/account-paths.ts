/** Paths of the pages of an account. Apart from paths.ts to keep the first page small. */
export const accountPaths = {
  details: '/account/account',
  secrets: '/account/secrets',
  requests: '/account/requests',
  webhooks: '/account/webhooks',
  webhookLog: '/account/webhooks/:webhookId',
  instanceSettings: '/account/instance-settings',
  settings: '/account/account-settings',
  security: '/account/security',
  users: '/account/users',
  device: '/account/device',
  privacy: '/account/privacy',
  terms: '/account/terms',
} as const
