import type { BenchBrowser, Tab } from './browser.ts'
import { type BenchPage, CARDS_A_BATCH, pluginsAmong } from './pages.ts'

/** Cards as the userscript leaves them, to be appended without it: what its badges cost a page that has them by itself. */
export interface Drawn {
  readonly styles: string
  /** Markup of the cards of the page. */
  readonly cards: string
  /** Markup of the cards of each batch. */
  readonly batches: readonly string[]
}

/** Lets the userscript mark a page and what is appended to it, and takes down what came of it. */
export async function takeDown(browser: BenchBrowser, page: BenchPage, batches: readonly string[]): Promise<Drawn> {
  const tab = await browser.visit(page.path)
  await tab.call('start', 'plugmark', page)
  await tab.call('prepare', batches)
  await tab.call('append', 'plugmark', pluginsAmong(CARDS_A_BATCH), { everyMs: 50 })
  const { styles, cards } = await tab.page.evaluate(takeDownInPage)
  const ofPage = cards.splice(0, cards.length - batches.length * CARDS_A_BATCH).join('')
  const ofBatches = batches.map((_, i) => cards.slice(i * CARDS_A_BATCH, (i + 1) * CARDS_A_BATCH).join(''))
  return { styles, cards: ofPage, batches: ofBatches }
}

/** Puts the marked cards in the place of the page's own. */
export async function putUp({ page }: Tab, { styles, cards }: Drawn): Promise<void> {
  await page.evaluate(putUpInPage, { styles, cards })
}

/** Runs in the page. */
function takeDownInPage() {
  const rules = document.adoptedStyleSheets.flatMap(({ cssRules }) => [...cssRules])
  return {
    styles: rules.map(({ cssText }) => cssText).join('\n'),
    cards: [...document.querySelectorAll('article')].map(({ outerHTML }) => outerHTML),
  }
}

/** Runs in the page. */
async function putUpInPage({ styles, cards }: { styles: string; cards: string }): Promise<void> {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  document.adoptedStyleSheets = [sheet]
  document.querySelector('article')!.parentElement!.innerHTML = cards
  await new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(resolve)))
}
