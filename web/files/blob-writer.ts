/** Bytes that come one after another, put into a blob: the browser keeps blobs away from the page's own memory. */

/** Small pieces are put together until they are this many bytes. */
const PIECE = 8 * 2 ** 20

export function newBlobWriter() {
  let pieces: Blob[] = []
  let waiting: BlobPart[] = []
  let length = 0
  const settle = () => {
    if (waiting.length > 0) pieces.push(new Blob(waiting))
    waiting = []
    length = 0
  }
  return {
    /** The bytes must not change before the next call. */
    write(bytes: Uint8Array<ArrayBuffer>): void {
      waiting.push(bytes)
      length += bytes.length
      if (length >= PIECE) settle()
    },
    /** Always octets: see save.ts. */
    blob(): Blob {
      settle()
      const whole = new Blob(pieces, { type: 'application/octet-stream' })
      pieces = []
      return whole
    },
  }
}
