/** Addresses of named recipients as people type them. */

/** Less strict than the server, which validates them. */
const ADDRESS = /^[^\s@,;]{1,64}@[^\s@,;]+\.[^\s@,;]+$/

export const isEmailAddress = (text: string): boolean => ADDRESS.test(text)

/** Splits at commas, semicolons and spaces. Lower-cased, each address once. */
export const parseRecipients = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,;]+/)
      .filter((word) => word !== ''),
  ),
]
