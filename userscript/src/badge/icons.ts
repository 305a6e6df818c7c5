const SVG = 'http://www.w3.org/2000/svg'

/** Drawn on a grid of 16 with a line of 1.5, in the colour of the text around it. */
const PATHS = {
  plug: 'M6 1.75v3M10 1.75v3M3.75 4.75h8.5v2.5a4.25 4.25 0 0 1-8.5 0zM8 11.5v2.75',
  copy: 'M5.75 5.75h7.5v7.5h-7.5zM3.5 10.25h-.75v-7.5h7.5v.75',
  check: 'M3 8.5 6.5 12 13 4.75',
  blocked: 'M8 2.25a5.75 5.75 0 1 0 0 11.5 5.75 5.75 0 0 0 0-11.5M4 12l8-8',
} as const

/** One icon, 12 px, hidden from screen readers: the words beside it say what it means. */
export function icon(name: keyof typeof PATHS): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 16 16')
  svg.setAttribute('aria-hidden', 'true')
  svg.classList.add('plugmark-icon')
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute('d', PATHS[name])
  svg.append(path)
  return svg
}
