import { expect, it } from 'vitest'
import { SPRITE } from './icons.ts'

/** Backgrounds of badges in the code host's themes: light, dark, dimmed; a page and a muted part of it. */
const GROUNDS = ['#ffffff', '#f6f8fa', '#0d1117', '#151b23', '#212830', '#262c36']

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

it.each([...new Set(Object.values(SPRITE))])(
  'gives an icon of the colour %s a contrast of at least 3 on every page',
  (colour) => {
    for (const ground of GROUNDS) expect(contrast(colour, ground), `on ${ground}`).toBeGreaterThanOrEqual(3)
  },
)
