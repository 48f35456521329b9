/** `42 MB`, `3 kB`, `17 bytes`; decimal units. */
export function formatBytes(bytes: number): string {
  const units = ['kB', 'MB', 'GB', 'TB']
  if (bytes < 1000) return `${bytes} bytes`
  const step = Math.min(units.length, Math.floor(Math.log10(bytes) / 3))
  return `${Math.round(bytes / 1000 ** step)} ${units[step - 1]}`
}
