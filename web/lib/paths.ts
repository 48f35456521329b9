/** Every address of the app. The build hands this list to the server, which answers anything else with 404. */
export const paths = {
  home: '/',
  secret: '/secret/:secretId',
  /** Served because such links exist; the page turns them into the fragment form before it does anything else. */
  secretWithKey: '/secret/:encryptionKey/:secretId',
  public: '/public',
  publicOf: '/public/:username',
  signIn: '/signin',
  signUp: '/signup',
  signOut: '/signout',
  privacy: '/privacy',
  terms: '/terms',
  apiDocs: '/api-docs',
  stats: '/stats',
  account: '/account',
  accountDetails: '/account/account',
  ownSecrets: '/account/secrets',
  instanceSettings: '/account/instance-settings',
  accountSettings: '/account/account-settings',
  users: '/account/users',
  accountPrivacy: '/account/privacy',
  accountTerms: '/account/terms',
  setUp: '/setup',
  /** The server has a page of its own for these: the router does not know them. */
  lite: '/lite',
  liteSecret: '/lite/:secretId',
} as const

/**
 * `/secret/{id}#{key}` for `/secret/{key}/{id}`, so that the key is in no request; null for any other address.
 * `base`: what stands before every path of the instance.
 */
export function moveKeyToFragment(pathname: string, base: string): string | null {
  const [, key, id] = /^\/secret\/([^/]+)\/([^/]+)\/?$/i.exec(pathname.slice(base.length)) ?? []
  return key && id ? `${base}/secret/${id}#${key}` : null
}
