import createPurifier from 'dompurify'
import { Marked } from 'marked'

/** Everything that a text may contain. No form, frame, SVG, MathML, style, script or id gets through. */
const TAGS = [
  ...['a', 'b', 'blockquote', 'br', 'code', 'dd', 'del', 'details', 'div', 'dl', 'dt', 'em', 'h1', 'h2', 'h3', 'h4'],
  ...['h5', 'h6', 'hr', 'i', 'img', 'ins', 'kbd', 'li', 'ol', 'p', 'pre', 's', 'samp', 'span', 'strike', 'strong'],
  ...['sub', 'summary', 'sup', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'tt', 'ul', 'var'],
]
const ATTRIBUTES = ['align', 'alt', 'colspan', 'dir', 'href', 'lang', 'rowspan', 'src', 'start', 'title']

/** Level of the heading above the text: its own headings come below. */
const HEADING = 4

const marked = new Marked({
  gfm: true,
  async: false,
  renderer: { checkbox: ({ checked }) => (checked ? '☑ ' : '☐ ') },
})

export interface Picture {
  readonly url: string
  readonly place: HTMLElement
}

export interface RenderedMarkdown {
  readonly content: DocumentFragment
  readonly pictures: readonly Picture[]
}

/**
 * Renders somebody else's Markdown, with the HTML in it. Loads nothing: a picture is a place with its description, and a
 * link opens outside.
 *
 * @param bases addresses that relative links and pictures start from, https
 */
export function renderMarkdown(
  text: string,
  bases: { readonly linkBase: string; readonly pictureBase: string },
): RenderedMarkdown {
  const content = createPurifier(window).sanitize(parse(text), {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  })
  for (const link of content.querySelectorAll('a')) openOutside(link, bases.linkBase)
  for (const heading of content.querySelectorAll('h1, h2, h3, h4, h5, h6')) lowerHeading(heading)
  const pictures: Picture[] = []
  for (const image of content.querySelectorAll('img')) {
    const url = webAddress(image.getAttribute('src'), bases.pictureBase)
    const place = document.createElement('span')
    place.className = 'picture'
    place.textContent = image.alt
    image.replaceWith(place)
    if (url !== null) pictures.push({ url: url.href, place })
  }
  return { content, pictures }
}

/** Converts Markdown to HTML, which is not safe yet. */
function parse(text: string): string {
  try {
    return marked.parse(text) as string
  } catch {
    // Nested deeper than the parser goes: show the text as it is.
    const plain = document.createElement('pre')
    plain.textContent = text
    return plain.outerHTML
  }
}

function openOutside(link: HTMLAnchorElement, base: string): void {
  const href = link.getAttribute('href') ?? ''
  // Ids are removed, so a link within the text leads nowhere.
  const url = href.startsWith('#') ? null : webAddress(href, base)
  if (url === null) {
    link.replaceWith(...link.childNodes)
    return
  }
  link.href = url.href
  link.target = '_blank'
  link.rel = 'noopener noreferrer'
}

function lowerHeading(heading: Element): void {
  const level = Math.min(6, Number(heading.localName.slice(1)) + HEADING)
  const lower = document.createElement(`h${level}`)
  lower.append(...heading.childNodes)
  heading.replaceWith(lower)
}

/** Returns the absolute address; null unless it is one of the web. */
function webAddress(address: string | null, base: string): URL | null {
  if (!address || !URL.canParse(address, base)) return null
  const url = new URL(address, base)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : null
}
