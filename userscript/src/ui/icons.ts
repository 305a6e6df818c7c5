const SVG = 'http://www.w3.org/2000/svg'

/** Paths of the icons, on a grid of 16 with a line of 1.5, in the colour of the text around them. */
export const PATHS = {
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

/** The icons of badges and of the box, in the order of the picture, with their colours: for light and dark pages alike. */
export const SPRITE = {
  plug: '#747e88',
  copy: '#747e88',
  blocked: '#747e88',
  check: '#2a8f3e',
  up: '#747e88',
  down: '#747e88',
} as const satisfies Partial<Record<keyof typeof PATHS, string>>

/**
 * A picture of these icons as a CSS value, 24 px below one another; the green one means success. Drawing a page of hundreds
 * takes less work than with elements, and less than an SVG, which is a document of its own (2.6 ms of a start). It cannot
 * take the colour of the text. `icons.browser.test.ts` draws it, three times as large as it is shown.
 */
export const ICONS = `url(data:image/webp;base64,${[
  'UklGRjoDAABXRUJQVlA4TC0DAAAvI8BiEEegoG0bpgwe8TLdYaMgAAHEIENqL/sUtW0DFVp/1/h29AQCKczsA4CSv4T/N+Gt6cn3pkDltq1lWzZx',
  'onfGjUYa1aU61SU6VPj0+tvXdZ9zrhu3EtF/CALQxm3UbuSwbAcrmO0JAAAAAAAcW9vtrOO/vdx/XmM7w19t57cV1c/Fdn1Z/mkndhbHrbXWWmv5',
  '8H4Vez8lTi3LsizLwyK+0ATOt/1xAh/a7oKpdQI1W+16HOCfVqxln1McZqxnmmU/LXrKDdspHrbQMg/Snv/Xwhgz1tdCKS+Na7Ni+u/5WkqTauqV',
  '9FmjYKdgBQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  'AAAAAAAAAAAAgM+pwcuyRHHqL+1Uv7peZLmoFC3Hpl8nJpcn0vo1xLGCnhhD1SqVDVFqc5fxT4iu5/H+xRSrgibx/9YibHOTWLfCIr7GCZScpyjX',
  '5RNisr5B4Osa+J2txvN36uIqsSeKn2GV1ncxmKYs19XrWb2xV09cfDy0OeOwSsE0DUhY+LcOEfsk80hjkmGUbvrSYKsYJD+X8VTvOyqKYqR/en5w',
  'ihn3rm4xmMg8WGgbTGTGkDWitwzjxd56hF0gYWmPIz1J08JJwnSydp4ZDE1C5xlH29R5JjlkBfYK7Oyl3h6umNxr2PDWhU3nfRXiInbMxrMzuWE1',
  '05qNCgnVUpXFam1PXFxN7pbK2VBdteP9r7Xnu2dV+tUq8O91+3tjx/Tn7Pt903jdY47vd83x3FeFB47O8UXvtrofo0+guF9NMvVSPkjqpX7YwMHk',
  'aQMHM0YGTTNK7g2aprR1Jqe8DSan3HacL/StKQIAAAAAAAAAAAAAAAAAAAAAAAAA+KMj7cnLBXdaW6hhbTNmu9ct7BwHzPD6Px2m92e3Q4sBk17q',
  'TlJ+hPQXb+HJu6tONrDPKQ3TjWD61eedhiv+OVEYvi/t/P6kS/Bcwbap3BYl3KCWWxR1g+puUeYN6r1F4TfsAlt2ig27yQZSd/5gigQA',
].join('')})`
