/** A row of docs/assurance.md. */
export interface Row {
  /** `SEC-01`, `REL-01`, `CRY-01`, or the ASVS requirements that the row is about. */
  id: string
  /** What holds, in one sentence. */
  promise: string
  /** Tests that fail when the promise does not hold: the path of the file, and the titles as they stand in it. */
  tests?: [file: string, ...titles: string[]][]
  /** Rows whose tests prove this one, too. */
  see?: string[]
  /** What no test proves, and why. */
  limit?: string
}
