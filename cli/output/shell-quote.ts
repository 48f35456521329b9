/** Quotes texts so that a shell reads them back unchanged. A text must not contain NUL. */

/** For POSIX shells: sh, bash, zsh. */
export const quotePosix = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

export const quoteFish = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** PowerShell takes typographic quotation marks for `'` too. */
export const quotePowershell = (text: string): string => `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`

/**
 * Formats a text as an expression of PowerShell in printable ASCII. Line breaks and other characters would not survive
 * `Out-String` and the encoding of the console.
 */
export const formatPowershellText = (text: string): string =>
  text
    .split(/([^ -~])/)
    .map((part, index) => (index % 2 === 0 ? quotePowershell(part) : `[char]${part.charCodeAt(0)}`))
    .filter((part, index) => index === 0 || part !== "''")
    .join(' + ')
