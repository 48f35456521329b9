/**
 * The oldest Node.js that runs Mayfly: `engines` of package.json. Without imports, because an old one runs this too.
 */
const [MAJOR, MINOR] = [20, 19] as const

/** Returns null for a version that is new enough. `version`: such as `18.20.8`. */
export function describeOldNode(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > MAJOR || (major === MAJOR && minor >= MINOR)) return null
  return `needs Node ${MAJOR}.${MINOR} or newer, this is ${version}`
}
