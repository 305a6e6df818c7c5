/** Markup that is safe to put into more markup as it stands. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toString(): string {
    return this.text
  }
}

type Part = Html | string | number | readonly Html[]

/** Builds markup; every value that is not markup itself is escaped. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((text, index) => text + (index < parts.length ? render(parts[index]!) : '')).join(''))
}

/** Markup written by us, such as a style sheet. */
export const raw = (text: string): Html => new Html(text)

function render(part: Part): string {
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return part.map((one: Html) => one.text).join('')
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
