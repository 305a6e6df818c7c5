const SVG = 'http://www.w3.org/2000/svg'

/** Paths of the icons, on a grid of 16 with a line of 1.5, in the colour of the text around them. */
const PATHS = {
  plug: 'M6 2v4M10 2v4M4 6h8v2a4 4 0 0 1-8 0zM8 12v2',
  copy: 'M6 6h8v8H6zM2 10V2h8',
  check: 'm2 8 4 4 8-8',
  blocked: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M4 12l8-8',
  warning: 'M8 2 15 14H1zM8 6v4M8 11v1',
  clock: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M8 5v3l2 2',
  external: 'M6 2H2v12h12v-4M10 2h4v4M14 2 8 8',
  star: 'm8 2 2 4 4 .5-3 3 1 4-4-2-4 2 1-4-3-3L6 6z',
  up: 'm4 10 4-4 4 4',
  down: 'm4 6 4 4 4-4',
  close: 'm4 4 8 8M12 4l-8 8',
} as const

/** Creates an icon of 12 px, hidden from screen readers: the words beside it have its meaning. */
export function icon(name: keyof typeof PATHS): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 16 16')
  svg.setAttribute('aria-hidden', 'true')
  svg.setAttribute('class', 'plugmark-icon')
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute('d', PATHS[name])
  svg.append(path)
  return svg
}

const IN_SPRITE = ['plug', 'copy', 'blocked', 'check', 'up', 'down'] as const
const DRAWN = IN_SPRITE.map((name, i) => `<path transform='translate(0 ${32 * i})' d='${PATHS[name]}'/>`).join('')
const LOOK = [
  'svg { fill: none; stroke: %236c7681; stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round }',
  'path:nth-of-type(4) { stroke: %23238636 }',
  '@media (prefers-color-scheme: dark) { svg { stroke: %239198a1 } path:nth-of-type(4) { stroke: %233fb950 } }',
].join(' ')

/**
 * The icons of badges and of the box as a CSS value, 24 px below one another; the green one means success. Drawing a page of hundreds
 * takes less work than with elements. They cannot take the colour of the text. On a dark page they have the code host's
 * own colours, as of 2026-08. Those for a light page are paler than its own, so that they are visible on a dark one
 * too: there WebKit uses them, because it tells the pictures of a page that every page is light (seen in WebKitGTK
 * 2.50). The end tag is escaped, because it would end the style element of a saved page.
 */
export const ICONS = `url("data:image/svg+xml,<svg xmlns='${SVG}' viewBox='0 0 16 176'><style>${LOOK}%3C/style>${DRAWN}</svg>")`
