/** For `orderBy`: the latest first. Rows of the same time are in the order of their ids, so that pages are stable. */
export const newestFirst = (time: string, id = 'id') => [
  { column: time, order: 'desc' },
  { column: id, order: 'desc' },
]
