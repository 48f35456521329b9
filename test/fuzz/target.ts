/** A parser under test: its inputs, and the properties that hold for each of them. */
export interface FuzzTarget {
  /** Valid inputs and parts of them, from which a mutation takes pieces. */
  tokens: string[]
  /** Throws if a property does not hold. Errors that the parser documents are caught by the target. */
  run(bytes: Uint8Array): void | Promise<void>
}

/** One character for each byte, as in the corpus files. */
export const toBinary = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
export const fromBinary = (text: string): Buffer => Buffer.from(text, 'latin1')

/** UTF-8 with replacement characters: what a parser of text gets. */
export const toText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')

export function assert(holds: boolean, message: string): void {
  if (!holds) throw new Error(`property violated: ${message}`)
}

/** Returns the result, or null for an error that `isExpected` accepts. Throws any other error. */
export async function attempt<T>(action: () => T | Promise<T>, isExpected: (error: unknown) => boolean) {
  try {
    return await action()
  } catch (error) {
    if (isExpected(error)) return null
    throw error
  }
}

/** The same for a function that is not asynchronous. */
export function attemptSync<T>(action: () => T, isExpected: (error: unknown) => boolean): T | null {
  try {
    return action()
  } catch (error) {
    if (isExpected(error)) return null
    throw error
  }
}
