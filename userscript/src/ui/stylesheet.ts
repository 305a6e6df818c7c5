const added = new Set<string>()

/** Adds style sheets to the page, each once. Together, so that the browser matches the page's elements again once. */
export function addStyles(...sheets: readonly string[]): void {
  const missing = sheets.filter((css) => !added.has(css))
  if (missing.length === 0) return
  for (const css of missing) added.add(css)
  try {
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, ...missing.map(createSheet)]
  } catch {
    // The browser has no constructable sheets, or the manager's sandbox cannot pass one to the page.
    for (const css of missing) {
      const style = document.createElement('style')
      style.textContent = css
      document.documentElement.append(style)
    }
  }
}

function createSheet(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  return sheet
}
