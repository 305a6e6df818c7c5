import { type Html, html } from './html.ts'

/** Names a repository of no list; a script that marks it took it for a row. */
const AT = '/cobalt-moth/seen-lately'

/**
 * The closed drawer of recently seen repositories that every page has beside its list. Each entry looks like the row of
 * some list and lacks one thing of it: the list around it, its heading, its mark. All links are decoys.
 */
export const drawer: Html = html`
  <aside class="AppHeader-drawer" aria-label="Seen lately" hidden>
    <ul>
      <li><a data-hovercard-type="repository" href="${AT}">seen-lately</a></li>
      <li data-test-id="seen-lately"><a data-hovercard-type="repository" href="${AT}">seen-lately</a></li>
      <li><a href="${AT}" itemprop="name codeRepository">seen-lately</a></li>
      <li><a href="${AT}"><span class="owner">cobalt-moth/</span><span class="repo">seen-lately</span></a></li>
      <li class="repo"><a href="${AT}">seen-lately</a></li>
      <li><a href="/site/terms">Terms</a> <a href="/marketplace/seen-lately">An offer</a></li>
    </ul>
    <h3><a href="/cobalt-moth">cobalt-moth</a> / <a class="Link--primary" href="${AT}">seen-lately</a></h3>
    <div data-testid="seen-lately">
      <div class="search-title"><a href="${AT}">seen-lately</a></div>
      <h2><a href="${AT}">seen-lately</a></h2>
      <h3><a href="${AT}">seen-lately</a></h3>
      <h4><a href="${AT}">seen-lately</a></h4>
    </div>
    <div class="Box-row"><h2><a href="${AT}">seen-lately</a></h2></div>
  </aside>`
