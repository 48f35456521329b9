/** Configured limits of secrets. */
export interface SecretsSettings {
  publicUrl: string
  /** Before encryption. */
  maxTextBytes: number
  /** Longest time to live, in seconds. */
  ttlMaxAnonymous: number
  ttlMaxUser: number
  /** How long a claim gets the same response again. */
  readGraceSeconds: number
  maxFiles: number
}
