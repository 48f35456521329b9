/** Contrast of CSS colors: `#rrggbb`, and `oklch(L C H)` with a number or `var(--hue)` as hue. */

/**
 * What a display does with a color outside sRGB: browsers clip each channel, CSS Color 4 reduces the chroma, and a
 * display with more colors shows it.
 */
export const GAMUTS = ['clipped', 'reduced', 'wide'] as const
export type Gamut = (typeof GAMUTS)[number]

type Rgb = [red: number, green: number, blue: number]

/** WCAG 2.2 contrast ratio, 1 to 21. `hue` is the value of `--hue` in degrees. Throws for other notations. */
export function contrastRatio(one: string, other: string, hue: number, gamut: Gamut): number {
  const [low, high] = [one, other].map((color) => luminance(toLinearRgb(color, hue, gamut))).sort((a, b) => a - b)
  return ((high as number) + 0.05) / ((low as number) + 0.05)
}

const luminance = ([red, green, blue]: Rgb): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue

function toLinearRgb(color: string, hue: number, gamut: Gamut): Rgb {
  const [, hex] = /^#([0-9a-f]{6})$/.exec(color) ?? []
  if (hex) return [0, 2, 4].map((start) => linear(Number.parseInt(hex.slice(start, start + 2), 16) / 255)) as Rgb
  const [, lightness, chroma, own] = /^oklch\(([\d.]+) ([\d.]+) ([\d.]+|var\(--hue\))\)$/.exec(color) ?? []
  if (own === undefined) throw new Error(`not a color in a known notation: ${color}`)
  const [l, c, h] = [Number(lightness), Number(chroma), own.startsWith('var') ? hue : Number(own)]
  const rgb = fromOklch(l, gamut === 'reduced' ? reduceChroma(l, c, h) : c, h)
  return gamut === 'wide' ? rgb : (rgb.map((value) => Math.min(1, Math.max(0, value))) as Rgb)
}

const linear = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)

/** The largest chroma up to `chroma` for which the color is inside sRGB, by bisection. */
function reduceChroma(lightness: number, chroma: number, hue: number): number {
  const isInside = (c: number) => fromOklch(lightness, c, hue).every((value) => value >= 0 && value <= 1)
  if (isInside(chroma)) return chroma
  let [inside, outside] = [0, chroma]
  for (let step = 0; step < 16; step++) {
    const middle = (inside + outside) / 2
    if (isInside(middle)) inside = middle
    else outside = middle
  }
  return inside
}

/**
 * Linear sRGB, beyond 0 to 1 outside its gamut. Björn Ottosson, "A perceptual color space for image processing" (2020).
 */
function fromOklch(lightness: number, chroma: number, hue: number): Rgb {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}
