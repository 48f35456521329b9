/** Tells password managers whose password a form changes. */
export function HiddenUsername({ username }: { username: string }) {
  return <input hidden readOnly type="text" autoComplete="username" value={username} />
}
