/**
 * Values that the hue of an instance changes in its pages. The stylesheets of the app compute their colors from it with
 * `oklch()`.
 */

/** OKLCH hue in degrees. */
export const DEFAULT_HUE = 275

/** Color of the browser's toolbar: `--surface` of `tokens.css` in both themes. */
export const createThemeColor = (hue: number) => ({ light: '#ffffff', dark: `oklch(0.21 0.014 ${hue})` })

/** Overrides the hue of the app, regardless of the order of the stylesheets. */
export const createHueStylesheet = (hue: number): string => `:root:root{--hue:${hue}}\n`
