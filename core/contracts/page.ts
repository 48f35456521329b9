/** Of a list: how many are left out at its beginning, and how many are told at most. */
export interface Page {
  skip: number
  take: number
}
