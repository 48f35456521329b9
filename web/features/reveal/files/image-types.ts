/** Files that are shown on the page, for those who ask for it. */
import type { AttachedFile } from '#shared/attached-files'

/** What browsers only ever draw. An SVG is a document, and can hold scripts. */
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']
/** Larger ones could take down the page, and with it a text that is nowhere else any more. */
const MAX_PREVIEW_BYTES = 20_000_000

/** The type to show it as, whatever its name is; null: it is only saved. */
export function previewType({ type, size, ticket }: Pick<AttachedFile, 'type' | 'size' | 'ticket'>): string | null {
  return ticket !== null && size <= MAX_PREVIEW_BYTES && IMAGE_TYPES.includes(type) ? type : null
}
