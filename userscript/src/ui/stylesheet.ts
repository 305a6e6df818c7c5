/** Style sheets that were added, by their text. */
const added = new Map<string, CSSStyleSheet | HTMLStyleElement>()

/** Adds style sheets to the page, each once. Together, so that the browser matches the page's elements again once. */
export function addStyles(...sheets: readonly string[]): void {
  const missing: string[] = []
  for (const css of sheets) if (!isThere(added.get(css))) missing.push(css)
  if (missing.length === 0) return
  try {
    const all = [...document.adoptedStyleSheets]
    for (const css of missing) {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(css)
      added.set(css, sheet)
      all.push(sheet)
    }
    document.adoptedStyleSheets = all
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
