/** Long lists, one page at a time. */
const PAGE = 50

export interface OnePage<Item> {
  items: Item[]
  /** Where the page before and the next one start; null where there is none. */
  before: number | null
  next: number | null
}

/** The page that starts where `?skip=` of the address says. */
export async function onePage<Item>(
  { url }: Request,
  list: (page: { skip: number; take: number }) => Promise<Item[]>,
): Promise<OnePage<Item>> {
  const skip = Number(/^\d{1,9}$/.exec(new URL(url).searchParams.get('skip') ?? '')?.[0] ?? 0)
  // One more than is shown tells whether there is another page.
  const found = await list({ skip, take: PAGE + 1 })
  return {
    items: found.slice(0, PAGE),
    before: skip > 0 ? Math.max(0, skip - PAGE) : null,
    next: found.length > PAGE ? skip + PAGE : null,
  }
}
