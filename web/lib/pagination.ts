/** Pages of a long list. */
const PAGE_SIZE = 50

export interface ListPage<Item> {
  items: Item[]
  /** Where the previous and the next page start; null when there is none. */
  before: number | null
  next: number | null
}

/** Loads the page that starts at `?skip=` of the URL. */
export async function loadListPage<Item>(
  { url }: Request,
  list: (page: { skip: number; take: number }) => Promise<Item[]>,
): Promise<ListPage<Item>> {
  const skip = Number(/^\d{1,9}$/.exec(new URL(url).searchParams.get('skip') ?? '')?.[0] ?? 0)
  // One more than is shown, to know whether there is a next page.
  const found = await list({ skip, take: PAGE_SIZE + 1 })
  return {
    items: found.slice(0, PAGE_SIZE),
    before: skip > 0 ? Math.max(0, skip - PAGE_SIZE) : null,
    next: found.length > PAGE_SIZE ? skip + PAGE_SIZE : null,
  }
}
