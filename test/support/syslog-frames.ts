/** The framing of syslog messages on a stream. */

/** Splits octet-counted messages (RFC 6587). */
export function splitFrames(data: Buffer): string[] {
  const messages: string[] = []
  for (let at = 0; at < data.length; ) {
    const space = data.indexOf(' ', at)
    const length = Number(data.subarray(at, space))
    messages.push(data.subarray(space + 1, space + 1 + length).toString())
    at = space + 1 + length
  }
  return messages
}
