/** Page of a list: number of entries to skip, and maximum number to return. */
export interface Page {
  skip: number
  take: number
}
