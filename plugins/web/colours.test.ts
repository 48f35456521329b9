import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { coloursOf, contrast, HUE, stylesheetOf, tooClose } from './colours.js'

test('people can tell the colours of any hue apart', () => {
  for (let hue = 0; hue <= 360; hue++) expect(tooClose(coloursOf(hue)), String(hue)).toEqual([])
})

test('colours that are too close are told, with theme and contrast', () => {
  const colours = { ...coloursOf(HUE), primary: { light: '#a0a0ff', dark: '#90a0f9' } }
  expect(tooClose(colours)).toContainEqual(
    expect.stringMatching(/^on-primary on primary .* 2\.\d\d in the light theme, 4\.5 /),
  )
  expect(tooClose({})).not.toEqual([])
})

test('the contrasts are those of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

test('the colours that the app comes with are those of its hue', () => {
  const tokens = readFileSync(join(import.meta.dirname, '../../web/styles/tokens.css'), 'utf8')
  const written = Object.fromEntries(
    [...tokens.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g)].map(([, name, light, dark]) => [
      name,
      { light, dark },
    ]),
  )
  expect(written).toEqual(coloursOf(HUE))
})

test('a stylesheet has every colour, and nothing of what a browser could not show', () => {
  const sheet = stylesheetOf(coloursOf(140))
  for (const name of Object.keys(coloursOf(140)))
    expect(sheet).toMatch(new RegExp(`--${name}:light-dark\\(#[0-9a-f]{6},#[0-9a-f]{6}\\)`))
})
