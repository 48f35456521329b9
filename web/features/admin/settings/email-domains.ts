import { isDomain } from '#shared/domains'

/** `@example.org; info@example.com` -> `example.org, example.com`. Null when the domains cannot be guessed. */
export function suggestDomains(text: string): string | null {
  const parts = text
    .toLowerCase()
    .split(/[\s,;،、，]+/)
    .map((part) =>
      part
        .replace(/^.*@/, '')
        .replace(/^https?:\/\//, '')
        .replace(/[./]+$/, ''),
    )
    .filter((part) => part !== '')
  return parts.length > 0 && parts.every(isDomain) ? [...new Set(parts)].join(', ') : null
}
