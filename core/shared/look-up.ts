/** The value of a key of the table itself. Without it, texts such as `constructor` find what every object inherits. */
export const lookUp = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined
