/** Every address of the app. The build hands this list to the server, which answers anything else with 404. */
export const paths = {
  home: '/',
  secret: '/secret/:secretId',
  /** Served because such links exist; the page turns them into the fragment form before it does anything else. */
  secretWithKey: '/secret/:encryptionKey/:secretId',
  public: '/public',
  publicOf: '/public/:username',
} as const

/** `/secret/{id}#{key}` for `/secret/{key}/{id}`, so that the key is in no request; null for any other address. */
export function fragmentForm(pathname: string): string | null {
  const [, key, id] = /^\/secret\/([^/]+)\/([^/]+)\/?$/i.exec(pathname) ?? []
  return key && id ? `/secret/${id}#${key}` : null
}
