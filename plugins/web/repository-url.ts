/**
 * URL of the repository in a package.json, as browsers open it: `git+https://host/name.git` is `https://host/name`.
 * Empty for none.
 */
export function repositoryUrl(manifest: object): string {
  const repository: unknown = 'repository' in manifest ? manifest.repository : undefined
  const named =
    typeof repository === 'object' && repository !== null && 'url' in repository ? repository.url : repository
  const [, address] =
    /^(?:git\+)?(https:\/\/[^\s#?]+?)(?:\.git)?\/?$/.exec(typeof named === 'string' ? named : '') ?? []
  return address ?? ''
}
