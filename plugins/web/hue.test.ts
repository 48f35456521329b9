import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createHueStylesheet, createThemeColor, DEFAULT_HUE } from '#shared/page/hue-colors'
import { contrastRatio, GAMUTS } from '#test/contrast'
import { ROOT } from '#test/source-files'
import { HUE_PRESETS, hueOption } from './hue.js'

const THEMES = ['light', 'dark'] as const
/** Required contrast ratios of WCAG 2.2: 4.5 for text, 3 for borders and icons; and 7 for body text. */
const CONTRAST_PAIRS: [foreground: string, backgrounds: string[], required: number][] = [
  ['text', ['bg', 'surface', 'surface-2', 'surface-3', 'primary-soft', 'success-soft', 'warning-soft'], 7],
  ['text', ['danger-soft', 'info-soft'], 7],
  ['text-2', ['bg', 'surface', 'surface-2', 'surface-3'], 4.5],
  ['text-3', ['bg', 'surface', 'surface-2'], 4.5],
  ['border-control', ['bg', 'surface', 'surface-2'], 3],
  ['on-primary', ['primary', 'primary-hover', 'primary-active'], 4.5],
  ['primary-text', ['bg', 'surface', 'surface-2', 'primary-soft'], 4.5],
  ['primary-text', ['success-soft', 'warning-soft', 'danger-soft', 'info-soft'], 4.5],
  ['primary', ['bg', 'surface', 'surface-3'], 3],
  ['focus', ['bg', 'surface', 'surface-2'], 3],
  ['success', ['bg', 'surface', 'success-soft'], 4.5],
  ['warning', ['surface', 'warning-soft'], 4.5],
  ['warning-border', ['surface', 'warning-soft'], 3],
  ['danger', ['bg', 'surface', 'surface-2', 'danger-soft'], 4.5],
  ['on-danger', ['danger', 'danger-hover'], 4.5],
  ['info', ['surface', 'info-soft'], 4.5],
]
/** OKLCH hue of `--danger`, and how far a preset is from it, in degrees. */
const DANGER = { hue: 25, distance: 40 }

type Tokens = Map<string, { light: string; dark: string }>

const tokens = readTokens('tokens.css')

describe('contrast', () => {
  test.each(GAMUTS)('every pair has enough contrast with every hue on a display with %s colors', (gamut) => {
    const problems: string[] = []
    for (let hue = 0; hue <= 360; hue++) problems.push(...contrastProblems(tokens, hue, gamut))
    expect(problems).toEqual([])
    expect(tokens.size).toBe(28)
  })

  test('a pair with too little contrast is found', () => {
    const pale = new Map([...tokens, ['primary', { light: 'oklch(0.75 0.1 var(--hue))', dark: '#90a0f9' }]])
    expect(contrastProblems(pale, DEFAULT_HUE, 'clipped')).toContainEqual(
      expect.stringMatching(/^on-primary on primary, light, hue 275: 2\.\d\d, needs 4\.5$/),
    )
  })

  test.each([
    ['#000000', '#ffffff', 21],
    ['#777777', '#ffffff', 4.48],
    ['oklch(0 0 0)', 'oklch(1 0 0)', 21],
    // The same color in both notations.
    ['oklch(0.47 0.19 var(--hue))', '#4246c2', 1],
  ])('contrast of %s on %s is %d', (one, other, ratio) => {
    for (const gamut of GAMUTS) expect(contrastRatio(one, other, DEFAULT_HUE, gamut)).toBeCloseTo(ratio, 2)
  })
})

test('the lite page has the colors of the app', () => {
  const lite = readTokens('lite.css')
  expect(lite.size).toBe(10)
  for (const [name, value] of lite) expect([name, value]).toEqual([name, tokens.get(name)])
})

test('both stylesheets start with the default hue', () => {
  for (const name of ['tokens.css', 'lite.css']) expect(readStyles(name)).toContain(`--hue: ${DEFAULT_HUE};`)
})

test('the toolbar has the color of the surface', () => {
  const { light = '', dark = '' } = tokens.get('surface') ?? {}
  expect(createThemeColor(150)).toEqual({ light, dark: dark.replace('var(--hue)', '150') })
})

test('stylesheet overrides the hue', () => {
  expect(createHueStylesheet(150)).toBe(':root:root{--hue:150}\n')
})

test.each(Object.entries(HUE_PRESETS))('preset %s is not mistaken for danger', (_, hue) => {
  const turn = Math.abs(hue - DANGER.hue)
  expect(Math.min(turn, 360 - turn)).toBeGreaterThanOrEqual(DANGER.distance)
})

test.each([
  [undefined, DEFAULT_HUE],
  ['green', 160],
  ['140', 140],
  [0, 0],
  [360, 360],
])('option %j is %d degrees', (value, hue) => {
  expect(hueOption.parse(value)).toBe(hue)
})

test.each(['red', 'Green', '', '-1', 361, 12.5, true, null, ['green'], 'constructor'])(
  'option %j is invalid',
  (value) => {
    const { error } = hueOption.safeParse(value)
    expect(error?.issues.map(({ message }) => message)).toEqual([
      'must be violet, blue, teal, green, pink or a whole number from 0 to 360',
    ])
  },
)

function contrastProblems(all: Tokens, hue: number, gamut: (typeof GAMUTS)[number]): string[] {
  return CONTRAST_PAIRS.flatMap(([foreground, backgrounds, required]) =>
    backgrounds.flatMap((background) =>
      THEMES.flatMap((theme) => {
        const [front = '', back = ''] = [foreground, background].map((name) => all.get(name)?.[theme])
        const ratio = contrastRatio(front, back, hue, gamut)
        return ratio >= required
          ? []
          : `${foreground} on ${background}, ${theme}, hue ${hue}: ${ratio.toFixed(2)}, needs ${required}`
      }),
    ),
  )
}

function readTokens(name: string): Tokens {
  const color = '(#\\w{6}|oklch\\((?:[^()]|\\(--hue\\))*\\))'
  const pattern = new RegExp(`--([\\w-]+): light-dark\\(${color}, ${color}\\);`, 'g')
  return new Map(
    [...readStyles(name).matchAll(pattern)].map(([, token = '', light = '', dark = '']) => [token, { light, dark }]),
  )
}

function readStyles(name: string): string {
  return readFileSync(join(ROOT, 'web/styles', name), 'utf8')
}
