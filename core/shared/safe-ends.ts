/**
 * Ends of generated links, ids and tokens. Programs that turn text into links leave a final `-` or `_` out, and a
 * command line reads an id that begins with `-` as a flag.
 */

/** True if the text begins and ends with a letter or a digit. */
export const hasSafeEnds = (text: string): boolean => isAlphanumeric(text.at(0)) && isAlphanumeric(text.at(-1))

/** Returns the first value of `draw` whose text has safe ends. `draw`: returns another random value each time. */
export function drawSafeEnds<Value>(draw: () => Value, toText: (value: Value) => string): Value {
  for (;;) {
    const value = draw()
    if (hasSafeEnds(toText(value))) return value
  }
}

const isAlphanumeric = (character = ''): boolean => /^[A-Za-z0-9]$/.test(character)
