/**
 * Finds the line of a syntax error in JSON, because the messages of V8 may contain the text and often name no position.
 */

/** Returns the number of the line, from 1. `error`: thrown by `JSON.parse(text)`. */
export function findSyntaxErrorLine({ message }: SyntaxError, text: string): number {
  const lines = text.trimEnd().split('\n')
  const [, position] = / JSON at position (\d+)/.exec(isUnexpectedToken(message) ? '' : message) ?? []
  const line = position === undefined ? findTokenLine(lines) : text.slice(0, Number(position)).split('\n').length
  return Math.min(line, lines.length)
}

/** V8 reports an unexpected token without its position: it is in the first line after which it is reported. */
function findTokenLine(lines: string[]): number {
  const index = lines.findIndex((_, at) => isUnexpectedToken(parseMessage(lines.slice(0, at + 1).join('\n'))))
  return index === -1 ? lines.length : index + 1
}

/** The message of the syntax error, or an empty text. */
function parseMessage(text: string): string {
  try {
    JSON.parse(text)
    return ''
  } catch (error) {
    return (error as SyntaxError).message
  }
}

/** The rest of this message is a part of the text. */
const isUnexpectedToken = (message: string): boolean => message.startsWith('Unexpected token')
