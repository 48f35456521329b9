/** True for URLs that a link may have: http, https, mailto, or a path on this host. */
export function isSafeUrl(href: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers ignore them, so `java\tscript:` would be a scheme
  if (/[\u0000-\u0020\\]/.test(href)) return false
  return /^(https?:\/\/[^/]|mailto:)/i.test(href) || /^(\/(?!\/)|#|\?)/.test(href) || !/[:]|^\/\//.test(href)
}
