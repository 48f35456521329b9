/** ASCII armor of age files: PEM in its strict form. */
import { base64 } from '@scure/base'

/** First line. */
export const ARMOR_BEGIN = '-----BEGIN AGE ENCRYPTED FILE-----'

const ARMOR_END = '-----END AGE ENCRYPTED FILE-----'
const LINE_LENGTH = 64

/** With a final newline. */
export function encodeArmor(file: Uint8Array): string {
  const lines = base64.encode(file).match(/.{1,64}/g) ?? []
  return [ARMOR_BEGIN, ...lines, ARMOR_END, ''].join('\n')
}

/** Ignores whitespace before and after the file, and accepts CRLF. Throws for any other deviation. */
export function decodeArmor(text: string): Uint8Array {
  const lines = text.trim().replaceAll('\r\n', '\n').split('\n')
  if (lines.shift() !== ARMOR_BEGIN || lines.pop() !== ARMOR_END) throw new Error('this is not armor')
  if (lines.some((line, index) => !isLine(line, index === lines.length - 1))) throw new Error('a line is invalid')
  return base64.decode(lines.join(''))
}

/** The last line may be shorter, but not empty. */
const isLine = (line: string, isLast: boolean): boolean =>
  /^[A-Za-z0-9+/=]+$/.test(line) && (isLast ? line.length <= LINE_LENGTH : line.length === LINE_LENGTH)
