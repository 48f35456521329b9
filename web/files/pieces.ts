const PIECE = 2 ** 18

/**
 * Bytes of a blob, one piece after the other in the same room: they are gone when the next one is asked for. A browser that
 * reads blobs only into rooms of its own gives each piece one.
 */
export async function* piecesOf(blob: Blob): AsyncGenerator<Uint8Array> {
  const stream = blob.stream()
  const next = readingInto(stream) ?? reading(stream)
  for (let piece = await next(); piece; piece = await next()) yield piece
}

type Next = () => Promise<Uint8Array | undefined>

function readingInto(stream: ReadableStream<Uint8Array>): Next | null {
  try {
    const reader = stream.getReader({ mode: 'byob' })
    let room = new Uint8Array(PIECE)
    return async () => {
      const { done, value } = await reader.read(room)
      if (done || !value) return undefined
      room = new Uint8Array(value.buffer)
      return value
    }
  } catch {
    return null
  }
}

function reading(stream: ReadableStream<Uint8Array>): Next {
  const reader = stream.getReader()
  return async () => (await reader.read()).value
}
