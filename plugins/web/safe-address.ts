/** An address that a click may lead to: http, https, mailto, or a place on this host. */
export function isSafe(href: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers skip them, so `java\tscript:` would be a scheme
  if (/[\u0000-\u0020\\]/.test(href)) return false
  return /^(https?:\/\/[^/]|mailto:)/i.test(href) || /^(\/(?!\/)|#|\?)/.test(href) || !/[:]|^\/\//.test(href)
}
