import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contrastProblems, contrastRatio, createPalette, createStylesheet, DEFAULT_HUE } from './palette.js'

test('palette has enough contrast for every hue', () => {
  for (let hue = 0; hue <= 360; hue++) expect(contrastProblems(createPalette(hue)), String(hue)).toEqual([])
})

test('contrastProblems names the pair, the theme and the ratio', () => {
  const palette = { ...createPalette(DEFAULT_HUE), primary: { light: '#a0a0ff', dark: '#90a0f9' } }
  expect(contrastProblems(palette)).toContainEqual(
    expect.stringMatching(/^on-primary on primary .* 2\.\d\d in the light theme, 4\.5 /),
  )
  expect(contrastProblems({})).not.toEqual([])
})

test('contrastRatio matches WCAG examples', () => {
  expect(contrastRatio('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrastRatio('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

test('tokens.css contains the palette of the default hue', () => {
  const tokens = readFileSync(join(import.meta.dirname, '../../web/styles/tokens.css'), 'utf8')
  const written = Object.fromEntries(
    [...tokens.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g)].map(([, name, light, dark]) => [
      name,
      { light, dark },
    ]),
  )
  expect(written).toEqual(createPalette(DEFAULT_HUE))
})

test('stylesheet defines every token', () => {
  const sheet = createStylesheet(createPalette(140))
  for (const name of Object.keys(createPalette(140)))
    expect(sheet).toMatch(new RegExp(`--${name}:light-dark\\(#[0-9a-f]{6},#[0-9a-f]{6}\\)`))
})
