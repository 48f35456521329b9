/** What the operator decides about secrets. */
export interface SecretsSettings {
  publicUrl: string
  maxTextBytes: number
  ttlMaxAnonymous: number
  ttlMaxUser: number
  readGraceSeconds: number
  maxFiles: number
}
