/**
 * `sealed`: encrypted by the client. `raw`: encrypted by the server with a key that only the id contains. `public`:
 * plaintext.
 */
export type SecretKind = 'sealed' | 'raw' | 'public'
