/** Types of files with a preview. */
import type { AttachedFile } from '#shared/client/viewed-content'

/** Raster images only: an SVG is a document and can contain scripts. */
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']
/** A larger image could crash the page, and the text of a burned secret would be lost. */
const MAX_PREVIEW_BYTES = 20_000_000

/** The media type for the preview; null when there is none. */
export function previewType({ type, size, ticket }: Pick<AttachedFile, 'type' | 'size' | 'ticket'>): string | null {
  return ticket !== null && size <= MAX_PREVIEW_BYTES && IMAGE_TYPES.includes(type) ? type : null
}
