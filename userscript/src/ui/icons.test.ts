import { expect, test } from 'vitest'
import { ICONS } from './icons.ts'

/** Backgrounds of badges in the code host's themes: light, dark, dimmed; a page and a muted part of it. */
const LIGHT = ['#ffffff', '#f6f8fa']
const DARK = ['#0d1117', '#151b23', '#212830', '#262c36']

/** Returns the relative luminance, as WCAG 2.2 defines it. */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light! + 0.05) / (dark! + 0.05)
}

const strokes = (look: string) => [...look.matchAll(/stroke: %23(\w{6})/g)].map(([, hex]) => `#${hex}`)
const [always = '', onDark = ''] = ICONS.split('@media')

test.each([
  ['wherever the picture is not told that the page is dark', strokes(always), [...LIGHT, ...DARK]],
  ['on a dark page', strokes(onDark), DARK],
])('gives the icons of a badge a contrast of at least 3, %s', (_, colours, grounds) => {
  expect(colours).toHaveLength(2)
  for (const colour of colours) {
    for (const ground of grounds) expect(contrast(colour, ground), `${colour} on ${ground}`).toBeGreaterThanOrEqual(3)
  }
})
