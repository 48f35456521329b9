const CHUNK_SIZE = 2 ** 18

/**
 * Bytes of a blob, one piece after the other. Not through its stream read into a room of our own, which would take less memory:
 * on a busy machine Chromium now and then never answers such a read.
 */
export async function* readChunks(blob: Blob): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < blob.size; at += CHUNK_SIZE) {
    yield new Uint8Array(await blob.slice(at, at + CHUNK_SIZE).arrayBuffer())
  }
}
