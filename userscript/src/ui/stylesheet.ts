/** What was added, by its text. */
const added = new Map<string, CSSStyleSheet | HTMLStyleElement>()

/** Adds style sheets to the page, each once. Together, so that the browser matches the page's elements again once. */
export function addStyles(...sheets: readonly string[]): void {
  const missing = sheets.filter((css) => !isThere(added.get(css)))
  if (missing.length === 0) return
  try {
    const created = missing.map((css) => [css, createSheet(css)] as const)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, ...created.map(([, sheet]) => sheet)]
    for (const [css, sheet] of created) added.set(css, sheet)
  } catch {
    // The browser has no constructable sheets, or the manager's sandbox cannot pass one to the page.
    for (const css of missing) {
      const style = document.createElement('style')
      style.textContent = css
      document.documentElement.append(style)
      added.set(css, style)
    }
  }
}

/** Adds again what is no longer there: a page may replace the list of style sheets by its own. */
export const restoreStyles = (): void => addStyles(...added.keys())

const isThere = (sheet: CSSStyleSheet | HTMLStyleElement | undefined): boolean =>
  sheet instanceof Element ? sheet.isConnected : sheet !== undefined && document.adoptedStyleSheets.includes(sheet)

function createSheet(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  return sheet
}
