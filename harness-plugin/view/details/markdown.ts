import { Marked } from 'marked'

/** Elements that a text may contain. Of others only the content is shown: no form, frame or style gets through. */
const TAGS = new Set([
  ...['a', 'b', 'blockquote', 'br', 'code', 'dd', 'del', 'details', 'div', 'dl', 'dt', 'em', 'h1', 'h2', 'h3', 'h4'],
  ...['h5', 'h6', 'hr', 'i', 'ins', 'kbd', 'li', 'ol', 'p', 'pre', 's', 'samp', 'span', 'strike', 'strong'],
  ...['sub', 'summary', 'sup', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'tt', 'ul', 'var'],
])
/** Elements whose content is code, or a sentence for browsers that lack the element. */
const UNREAD = new Set(['audio', 'iframe', 'noembed', 'noframes', 'noscript', 'script', 'style', 'title', 'video'])
/** Attributes that are copied. No address is among them. */
const ATTRIBUTES = ['align', 'colspan', 'dir', 'lang', 'rowspan', 'start', 'title']

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
 * link opens outside. Every element is made here, and only of the names above; of the text's own elements, which stay in
 * a template where nothing runs or loads, none is used.
 *
 * @param bases addresses that relative links and pictures start from, https
 */
export function renderMarkdown(
  text: string,
  bases: { readonly linkBase: string; readonly pictureBase: string },
): RenderedMarkdown {
  const pictures: Picture[] = []
  function copy(from: Node, to: ParentNode): void {
    for (const node of from.childNodes) {
      if (node instanceof Text) to.append(node.data)
      else if (node instanceof HTMLImageElement) to.append(placeOf(node))
      else if (node instanceof HTMLElement && !UNREAD.has(node.localName)) {
        const element = elementLike(node, bases.linkBase)
        if (element !== null) to.append(element)
        copy(node, element ?? to)
      }
    }
  }
  function placeOf(image: HTMLImageElement): HTMLElement {
    const place = document.createElement('span')
    place.className = 'picture'
    place.textContent = image.alt
    const url = webAddress(image.getAttribute('src'), bases.pictureBase)
    if (url !== null) pictures.push({ url: url.href, place })
    return place
  }
  const template = document.createElement('template')
  template.innerHTML = parse(text)
  // By its name, a control would hide a property of its form.
  for (const named of template.content.querySelectorAll(':not(form):is([id], [name])'))
    for (const attribute of ['id', 'name']) named.removeAttribute(attribute)
  const content = document.createDocumentFragment()
  copy(template.content, content)
  return { content, pictures }
}

/** Creates an empty element for one of a text; null if the text may not contain it. */
function elementLike(original: HTMLElement, linkBase: string): HTMLElement | null {
  const name = original.localName
  if (!TAGS.has(name)) return null
  const element = name === 'a' ? linkTo(original.getAttribute('href'), linkBase) : document.createElement(lowered(name))
  for (const attribute of ATTRIBUTES) {
    const value = original.getAttribute(attribute)
    if (value !== null) element?.setAttribute(attribute, value)
  }
  return element
}

/** Converts Markdown to HTML, which is not safe. */
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

/** Creates a link that opens outside; null if it leads nowhere safe, or within the text, where nothing has an id. */
function linkTo(href: string | null, base: string): HTMLElement | null {
  const url = href?.startsWith('#') ? null : webAddress(href, base)
  if (url === null) return null
  return Object.assign(document.createElement('a'), {
    href: url.href,
    target: '_blank',
    rel: 'noopener noreferrer',
  })
}

/** Returns the name of the element that stands for one of a text: headings are lowered. */
function lowered(name: string): string {
  const [, level] = /^h(\d)$/.exec(name) ?? []
  return level === undefined ? name : `h${Math.min(6, Number(level) + HEADING)}`
}

/** Returns the absolute address; null unless it is one of the web. */
function webAddress(address: string | null, base: string): URL | null {
  if (!address || !URL.canParse(address, base)) return null
  const url = new URL(address, base)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : null
}
