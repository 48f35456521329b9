/** In characters. With the direction of each paragraph, the layout of longer lines takes seconds in Chromium. */
export const LONG_LINE = 20_000

export const hasLongLine = (text: string): boolean => text.split('\n').some(({ length }) => length > LONG_LINE)
