const added = new Set<string>()

/** Adds a style sheet to the page, once. */
export function addStyles(css: string): void {
  if (added.has(css)) return
  added.add(css)
  try {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  } catch {
    // The browser has no constructable sheets, or the manager's sandbox cannot pass one to the page.
    const style = document.createElement('style')
    style.textContent = css
    document.documentElement.append(style)
  }
}
