export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Tries the whole name first, because names of claims may contain dots, then a path of names separated by dots. */
export function findClaim(claims: Record<string, unknown>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  const getProperty = (value: unknown, key: string) =>
    isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return name.split('.').reduce<unknown>(getProperty, claims)
}

/** The claim as text: of a list, the first item; otherwise empty. */
export function findText(claims: Record<string, unknown>, name: string): string {
  const [value] = [findClaim(claims, name)].flat()
  return typeof value === 'string' ? value.trim() : ''
}
