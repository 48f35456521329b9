const CHUNK_SIZE = 2 ** 18

/**
 * Reads a blob in chunks. A BYOB reader of its stream would take less memory, but on a busy machine such a read sometimes never
 * finishes in Chromium.
 */
export async function* readChunks(blob: Blob): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < blob.size; at += CHUNK_SIZE) {
    yield new Uint8Array(await blob.slice(at, at + CHUNK_SIZE).arrayBuffer())
  }
}
