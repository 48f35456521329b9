/**
 * The spaces before a text in its row. The start of a row shares a page with other rows, and SQLite leaves copies of it
 * behind when it moves rows between pages, even with `secure_delete`. So the start of the row holds spaces only, and
 * the text is in separate overflow pages, which `secure_delete` overwrites.
 *
 * SQLite fills overflow pages from the end of the row: the rest that does not fill a whole page stays in the shared
 * page, unless it is too long for it (https://www.sqlite.org/fileformat.html, "Cell Payload Overflow Pages"). So the
 * spaces fill the overflow pages up, and the shared page holds only the minimum.
 */

/** Bytes of the page number that each overflow page begins with. */
const LINK_BYTES = 4

/**
 * Returns a function that returns the spaces for the row of a text. `pageSize`: of the database, without reserved
 * bytes.
 */
export function createTextMargin(pageSize: number): (id: string, text: string) => string {
  const overflow = pageSize - LINK_BYTES
  /** Bytes that a row with overflow pages keeps in the shared page. */
  const shared = Math.floor(((pageSize - 12) * 32) / 255) - 23
  return (id, text) => {
    const [idBytes, textBytes] = [Buffer.byteLength(id), Buffer.byteLength(text)]
    const fill = (overflow - (textBytes % overflow)) % overflow
    // The size of the header, and one number for each column. The number of the spaces takes two bytes in most rows.
    const header = 1 + lengthBytes(idBytes) + 2 + lengthBytes(textBytes)
    const length = shared + fill - header - idBytes
    return ' '.repeat(adjustToHeader(length < 0 ? length + overflow : length))
  }
}

/** Adds a byte that the header saves for the length of few spaces, or removes a byte that it needs for many spaces. */
function adjustToHeader(length: number): number {
  return length + 2 - lengthBytes(length)
}

/** Bytes of the number for a text of this length in the header of a row: a varint of 7 bits in each byte. */
function lengthBytes(length: number): number {
  let bytes = 1
  for (let rest = (2 * length + 13) / 128; rest >= 1; rest /= 128) bytes++
  return bytes
}
