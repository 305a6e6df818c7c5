/** Adds a style sheet to the page. */
export function addStyleSheet(text: string): void {
  try {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  } catch {
    // No constructable sheets, or a manager's sandbox that cannot hand one to the page.
    const style = document.createElement('style')
    style.textContent = text
    document.documentElement.append(style)
  }
}
