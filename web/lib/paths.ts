/**
 * Paths that the app links to. The build writes them and the paths of page-routes.ts to site.json; the server responds
 * with 404 to others.
 */
export const paths = {
  home: '/',
  secret: '/secret/:secretId',
  /** For old links: the page moves the key into the fragment at once. */
  secretWithKey: '/secret/:encryptionKey/:secretId',
  /** Where other programs send what they share with the installed app. */
  share: '/share',
  request: '/request',
  respond: '/request/:requestId',
  collect: '/collect/:requestId',
  receipt: '/receipt',
  public: '/public',
  publicOf: '/public/:username',
  signIn: '/signin',
  secondStep: '/signin/second-step',
  signUp: '/signup',
  signOut: '/signout',
  privacy: '/privacy',
  terms: '/terms',
  apiDocs: '/api-docs',
  stats: '/stats',
  unsubscribe: '/unsubscribe',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  account: '/account',
  setUp: '/setup',
  /** Served by the lite page, not by the router. */
  lite: '/lite',
  liteSecret: '/lite/:secretId',
} as const

/**
 * `/secret/{key}/{id}` -> `/secret/{id}#{key}`, so that no request contains the key; null for any other path.
 * `base`: base path of the instance.
 */
export function moveKeyToFragment(pathname: string, base: string): string | null {
  const [, key, id] = /^\/secret\/([^/]+)\/([^/]+)\/?$/i.exec(pathname.slice(base.length)) ?? []
  return key && id ? `${base}/secret/${id}#${key}` : null
}

/**
 * True for the address of a link with more than its path and fragment, which mail and chat programs append or encode.
 * Cheap, because every page asks. `base`: base path of the instance.
 */
export function isChangedAddress(
  { pathname, search, hash }: Pick<URL, 'pathname' | 'search' | 'hash'>,
  base: string,
): boolean {
  const path = pathname.slice(base.length)
  if (!/^\/(?:secret|lite|request|collect|receipt)(?:\/|&|%|$)/i.test(path)) return false
  return search !== '' || /[^\w/~-]/.test(path) || /[^\w-]/.test(hash.slice(1))
}
