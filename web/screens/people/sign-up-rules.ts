/** What the server asks of a new account, as far as a page can tell before it is sent. */
export const FIELDS = ['email', 'username', 'password'] as const

export type FieldName = (typeof FIELDS)[number]
export type Entries = Record<FieldName, string>

const FORMS: Record<FieldName, RegExp> = {
  email: /^\s*[^\s@]+@[^\s@]+\.[^\s@]+\s*$/,
  username: /^\s*[A-Za-z0-9_-]{4,20}\s*$/,
  // Counted in characters, as the server does.
  password: /^.{5,50}$/su,
}

export const wrongIn = (name: FieldName, entries: Entries): boolean => !FORMS[name].test(entries[name])
