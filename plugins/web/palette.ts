/** Computes the color tokens of the app for a hue, and checks their contrast: WCAG 2.2, 1.4.3 and 1.4.11. */

/** In OKLCH. Lightness is 0 to 1. Without a hue, the operator's hue is used. */
type Shade = readonly [lightness: number, chroma: number, hue?: number]

/** Token -> `#rrggbb`. */
export type Palette = Record<string, { light: string; dark: string }>

export const DEFAULT_HUE = 275

/** Light and dark shades. Status colors (success, warning, danger, info) have hues of their own. */
const SHADES: Record<string, readonly [light: Shade, dark: Shade]> = {
  bg: [
    [0.985, 0.004],
    [0.17, 0.012],
  ],
  surface: [
    [1, 0],
    [0.21, 0.014],
  ],
  'surface-2': [
    [0.965, 0.007],
    [0.25, 0.016],
  ],
  'surface-3': [
    [0.93, 0.01],
    [0.3, 0.018],
  ],
  overlay: [
    [0.2, 0.02],
    [0.05, 0],
  ],
  text: [
    [0.22, 0.02],
    [0.955, 0.006],
  ],
  'text-2': [
    [0.4, 0.02],
    [0.8, 0.012],
  ],
  'text-3': [
    [0.5, 0.018],
    [0.71, 0.014],
  ],
  border: [
    [0.9, 0.01],
    [0.33, 0.018],
  ],
  'border-control': [
    [0.6, 0.018],
    [0.58, 0.02],
  ],
  primary: [
    [0.47, 0.19],
    [0.73, 0.13],
  ],
  'primary-hover': [
    [0.41, 0.18],
    [0.79, 0.11],
  ],
  'primary-active': [
    [0.36, 0.16],
    [0.84, 0.08],
  ],
  'on-primary': [
    [1, 0],
    [0.17, 0.03],
  ],
  'primary-soft': [
    [0.955, 0.022],
    [0.29, 0.07],
  ],
  'primary-text': [
    [0.45, 0.19],
    [0.78, 0.11],
  ],
  focus: [
    [0.52, 0.22],
    [0.8, 0.12],
  ],
  success: [
    [0.45, 0.11, 155],
    [0.8, 0.13, 155],
  ],
  'success-soft': [
    [0.965, 0.03, 155],
    [0.28, 0.045, 155],
  ],
  warning: [
    [0.47, 0.11, 65],
    [0.83, 0.12, 80],
  ],
  'warning-soft': [
    [0.97, 0.035, 80],
    [0.29, 0.045, 75],
  ],
  'warning-border': [
    [0.62, 0.13, 65],
    [0.66, 0.12, 75],
  ],
  danger: [
    [0.49, 0.19, 25],
    [0.77, 0.12, 22],
  ],
  'danger-hover': [
    [0.43, 0.17, 25],
    [0.83, 0.09, 22],
  ],
  'danger-soft': [
    [0.965, 0.02, 20],
    [0.28, 0.06, 22],
  ],
  'on-danger': [
    [1, 0],
    [0.17, 0.03],
  ],
  info: [
    [0.47, 0.12, 240],
    [0.8, 0.1, 240],
  ],
  'info-soft': [
    [0.965, 0.02, 240],
    [0.28, 0.04, 240],
  ],
}

/** Required contrast ratios: 4.5 for text, 3 for borders and icons, 7 for body text. */
const CONTRAST_PAIRS: [foreground: string, backgrounds: string[], required: number][] = [
  ['text', ['bg', 'surface', 'surface-2', 'surface-3', 'primary-soft', 'success-soft', 'warning-soft'], 7],
  ['text', ['danger-soft', 'info-soft'], 7],
  ['text-2', ['bg', 'surface', 'surface-2', 'surface-3'], 4.5],
  ['text-3', ['bg', 'surface', 'surface-2'], 4.5],
  ['border-control', ['bg', 'surface', 'surface-2'], 3],
  ['on-primary', ['primary', 'primary-hover', 'primary-active'], 4.5],
  [
    'primary-text',
    ['bg', 'surface', 'surface-2', 'primary-soft', 'success-soft', 'warning-soft', 'danger-soft', 'info-soft'],
    4.5,
  ],
  ['primary', ['bg', 'surface', 'surface-3'], 3],
  ['focus', ['bg', 'surface', 'surface-2'], 3],
  ['success', ['bg', 'surface', 'success-soft'], 4.5],
  ['warning', ['surface', 'warning-soft'], 4.5],
  ['warning-border', ['surface', 'warning-soft'], 3],
  ['danger', ['bg', 'surface', 'surface-2', 'danger-soft'], 4.5],
  ['on-danger', ['danger', 'danger-hover'], 4.5],
  ['info', ['surface', 'info-soft'], 4.5],
]

/** All tokens for a hue in degrees. A chroma outside sRGB is reduced until the color fits. */
export function createPalette(hue: number): Palette {
  return Object.fromEntries(
    Object.entries(SHADES).map(([name, [light, dark]]) => [name, { light: toHex(light, hue), dark: toHex(dark, hue) }]),
  )
}

/** Describes the pairs with too little contrast; empty when there are none. */
export function contrastProblems(palette: Palette): string[] {
  return (['light', 'dark'] as const).flatMap((theme) =>
    CONTRAST_PAIRS.flatMap(([foreground, backgrounds, required]) =>
      backgrounds.flatMap((background) => {
        const ratio = contrastRatio(palette[foreground]?.[theme] ?? '', palette[background]?.[theme] ?? '')
        return ratio >= required
          ? []
          : `${foreground} on ${background} has a contrast of ${ratio.toFixed(2)} in the ${theme} theme, ${required} is needed`
      }),
    ),
  )
}

/** A stylesheet that overrides the tokens of the app, regardless of its position. It keeps the rules for more contrast and for print. */
export function createStylesheet(palette: Palette): string {
  const tokens = Object.entries(palette).map(([name, { light, dark }]) => `--${name}:light-dark(${light},${dark})`)
  const highContrast = ['border', 'border-control', 'text-2', 'text-3'].map((name) => `--${name}:var(--text)`)
  return [
    `:root:root:root{${tokens.join(';')}}`,
    `@media (prefers-contrast:more){:root:root:root{${highContrast.join(';')}}}`,
    '@media print{:root:root:root{--bg:#fff}}\n',
  ].join('')
}

/** WCAG 2.2 contrast ratio, 1 to 21. */
export function contrastRatio(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const value = Number.parseInt(hex.slice(start, start + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function toHex([lightness, chroma, shadeHue]: Shade, paletteHue: number): string {
  const hue = shadeHue ?? paletteHue
  const rgb = toRgb(lightness, reduceChroma(lightness, chroma, hue), hue)
  const toByte = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 255)
  return `#${rgb.map((value) => toByte(value).toString(16).padStart(2, '0')).join('')}`
}

/** The largest chroma up to `chroma` for which the color is inside sRGB, by bisection. */
function reduceChroma(lightness: number, chroma: number, hue: number): number {
  if (isInGamut(toRgb(lightness, chroma, hue))) return chroma
  let [inside, outside] = [0, chroma]
  for (let step = 0; step < 16; step++) {
    const middle = (inside + outside) / 2
    if (isInGamut(toRgb(lightness, middle, hue))) inside = middle
    else outside = middle
  }
  return inside
}

/** Tolerates rounding errors. */
const isInGamut = (rgb: number[]) => rgb.every((value) => value > -0.002 && value < 1.002)

/** OKLCH to sRGB: Björn Ottosson, "A perceptual color space for image processing" (2020). */
function toRgb(lightness: number, chroma: number, hue: number): number[] {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((value) => (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055))
}
