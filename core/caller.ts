/** Who is calling, as far as it is known. */
export interface Caller {
  /** null: a visitor. */
  userId: string | null
  /** Normalised IP address; null when it cannot be known, which `allowedIp` refuses. */
  address: string | null
}
