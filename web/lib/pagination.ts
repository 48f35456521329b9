/** Long lists, one page at a time. */
const PAGE_SIZE = 50

export interface ListPage<Item> {
  items: Item[]
  /** Where the page before and the next one start; null where there is none. */
  before: number | null
  next: number | null
}

/** The page that starts where `?skip=` of the address says. */
export async function loadListPage<Item>(
  { url }: Request,
  list: (page: { skip: number; take: number }) => Promise<Item[]>,
): Promise<ListPage<Item>> {
  const skip = Number(/^\d{1,9}$/.exec(new URL(url).searchParams.get('skip') ?? '')?.[0] ?? 0)
  // One more than is shown tells whether there is another page.
  const found = await list({ skip, take: PAGE_SIZE + 1 })
  return {
    items: found.slice(0, PAGE_SIZE),
    before: skip > 0 ? Math.max(0, skip - PAGE_SIZE) : null,
    next: found.length > PAGE_SIZE ? skip + PAGE_SIZE : null,
  }
}
