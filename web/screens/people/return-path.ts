import { paths } from '../../paths.js'

/** Where somebody wanted to go who had to sign in first: `?to=`, when it is a path of the app, else home. */
export function returnPath(search: string): string {
  const to = new URLSearchParams(search).get('to') ?? ''
  // What begins with two slashes, or a slash and a backslash, would be another host.
  return /^\/(?![/\\])/.test(to) ? to : paths.home
}
