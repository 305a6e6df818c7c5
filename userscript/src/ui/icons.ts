const SVG = 'http://www.w3.org/2000/svg'

/** Drawn on a grid of 16 with a line of 1.5, in the colour of the text around it. */
const PATHS = {
  plug: 'M6 1.75v3M10 1.75v3M3.75 4.75h8.5v2.5a4.25 4.25 0 0 1-8.5 0zM8 11.5v2.75',
  copy: 'M5.75 5.75h7.5v7.5h-7.5zM3.5 10.25h-.75v-7.5h7.5v.75',
  check: 'M3 8.5 6.5 12 13 4.75',
  blocked: 'M8 2.25a5.75 5.75 0 1 0 0 11.5 5.75 5.75 0 0 0 0-11.5M4 12l8-8',
  warning: 'M8 2.5 14.25 13.25H1.75zM8 6.5v3M8 11.2v.3',
  clock: 'M8 2.25a5.75 5.75 0 1 0 0 11.5 5.75 5.75 0 0 0 0-11.5M8 4.75V8l2.25 1.5',
  external: 'M6.5 3.25H2.75v10h10V9.5M9 2.75h4.25V7M13 3 7.5 8.5',
  star: 'm8 2 1.8 3.9 4.2.5-3.1 2.9.8 4.2L8 11.4l-3.7 2.1.8-4.2L2 6.4l4.2-.5z',
  up: 'm3.5 10 4.5-4.5 4.5 4.5',
  down: 'm3.5 6 4.5 4.5L12.5 6',
  close: 'm4 4 8 8M12 4l-8 8',
} as const

/** One icon, 12 px, hidden from screen readers: the words beside it say what it means. */
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
