/** Our own look of the pages, close enough to the code host's for a badge to be judged in its surroundings. */
export const PAGE_STYLES = `
* { box-sizing: border-box; }
body { margin: 0; background: var(--bgColor-default); color: var(--fgColor-default);
  font: 14px/1.5 var(--fontStack-system); }
a { color: var(--fgColor-accent); text-decoration: none; }
a:hover { text-decoration: underline; }
img { vertical-align: middle; }
h1, h3, p, ul { margin: 0; padding: 0; }
pre { overflow-x: auto; }
.octicon { fill: none; stroke: currentColor; stroke-width: 1.25; vertical-align: text-bottom; }
.avatar { border-radius: 50%; }
.AppHeader { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; padding: 12px 24px; background: var(--bgColor-muted);
  border-bottom: 1px solid var(--borderColor-default); }
.AppHeader nav { display: flex; flex-wrap: wrap; gap: 4px 16px; }
.AppHeader a { color: var(--fgColor-default); }
.AppHeader-search { margin-left: auto; }
.AppHeader-search input { width: 240px; padding: 4px 12px; border: 1px solid var(--borderColor-default);
  border-radius: var(--borderRadius-medium); background: var(--bgColor-default); color: inherit; font: inherit; }
.footer { padding: 24px; color: var(--fgColor-muted); font-size: 12px; text-align: center; }
.container { max-width: 1012px; margin: 0 auto; padding: 24px 16px; }
.muted, .color-fg-muted { color: var(--fgColor-muted); }
.columns { display: grid; grid-template-columns: minmax(0, 3fr) 1fr; gap: 24px; }
h1 { font-size: 32px; font-weight: 600; line-height: 1.5; }
.f3 { font-size: 20px; font-weight: 400; line-height: 1.25; }
.text-bold { font-weight: 600; }
.h4 { font-size: 16px; }
.wb-break-word, .wb-break-all, .search-title { overflow-wrap: anywhere; }
.my-4 { margin: 24px 0; }
.border { border: 1px solid var(--borderColor-default); border-radius: var(--borderRadius-medium); }
.color-bg-subtle { background: var(--bgColor-muted); }
.color-bg-default { background: var(--bgColor-default); border-radius: 0 0 6px 6px; }
.px-3 { padding-left: 16px; padding-right: 16px; }
.p-3 { padding: 16px; }
.p-3 p { margin-bottom: 8px; }
aside p { margin: 24px 0 8px; }
.d-flex { display: flex; }
.flex-justify-between { justify-content: space-between; gap: 16px; }
.flex-auto { flex: 1 1 auto; gap: 8px; align-items: baseline; }
.my-3 { margin: 16px 0; }
.btn { display: inline-block; padding: 3px 12px; border: 1px solid var(--borderColor-default); border-radius: 6px;
  background: var(--bgColor-muted); color: var(--fgColor-default); font-size: 12px; line-height: 20px; white-space: nowrap; }
.UnderlineNav { display: flex; gap: 16px; padding-bottom: 8px; font-size: 14px; }
.UnderlineNav-item { color: var(--fgColor-default); }
.topic-tag { display: inline-block; padding: 0 10px; margin: 0 4px 4px 0; border-radius: 2em; font-size: 12px; line-height: 22px;
  background: var(--bgColor-accent-muted); }
.list-style-none { display: flex; gap: 16px; list-style: none; font-size: 12px; }
.d-block { display: block; }
.width-full { width: 100%; }
img.width-full { height: 88px; object-fit: cover; }
.d-flex > .btn { align-self: flex-start; }
.d-inline-block + .btn { float: right; }
.repo-language-color { display: inline-block; width: 12px; height: 12px; border-radius: 50%; background: #6e7781; vertical-align: -1px; }
.search-layout { display: grid; grid-template-columns: 220px minmax(0, 1fr); gap: 32px; max-width: 1180px; margin: 0 auto; padding: 24px 16px; }
.search-filters a { display: block; padding: 6px 8px; border-radius: 6px; color: var(--fgColor-default); }
.search-layout p { margin-bottom: 8px; }
.search-result { padding: 16px; margin-bottom: 16px; border: 1px solid var(--borderColor-default); border-radius: 6px; }
.search-heading { display: flex; align-items: center; gap: 8px; }
.search-result .search-heading { margin-bottom: 4px; }
.search-result h3 { font-size: 16px; font-weight: 600; line-height: 1.5; }
.search-title em { font-style: normal; font-weight: 700; }
.pagination { display: flex; gap: 16px; justify-content: center; padding: 16px; }
.hovercard { display: none; }
ul.rows, ol.rows { list-style: none; }
.rows > *, .Box-row { padding: 16px 0; border-bottom: 1px solid var(--borderColor-muted); }
.rows h1, .rows h2, .rows h3, .rows h4 { font-size: 16px; font-weight: 600; line-height: 1.5; }
.rows .text-normal { font-weight: 400; }
.rows p { margin: 4px 0; }
.facts { display: flex; flex-wrap: wrap; gap: 16px; align-items: center; font-size: 12px; }
.Label { padding: 0 7px; border: 1px solid var(--borderColor-default); border-radius: 2em; color: var(--fgColor-muted);
  font-size: 12px; font-weight: 500; line-height: 18px; }
.markdown-body { font-size: 16px; overflow-wrap: anywhere; }
.markdown-body h1, .markdown-body h2 { margin: 0 0 16px; padding-bottom: 6px; border-bottom: 1px solid var(--borderColor-muted); }
.markdown-body h1 { font-size: 28px; }
.markdown-body h2 { font-size: 22px; }
.markdown-body .anchor { float: left; width: 20px; margin-left: -20px; opacity: 0; }
.markdown-body p, .markdown-body ul { margin: 0 0 16px; }
.markdown-body ul { padding-left: 2em; }
.markdown-body pre { padding: 16px; background: var(--bgColor-muted); border-radius: 6px; }
.btn-link { color: inherit; }
table.border { width: 100%; }
table.border td { padding: 8px 16px; }
.page-list { padding-left: 24px; margin-top: 16px; line-height: 2; }
@media (max-width: 767px) {
  .AppHeader { padding: 12px 16px; }
  .AppHeader-user { margin-left: auto; }
  .AppHeader-search { order: 1; width: 100%; }
  .AppHeader-search input { width: 100%; }
  .columns, .search-layout { grid-template-columns: minmax(0, 1fr); gap: 16px; }
  .search-filters { display: flex; overflow-x: auto; }
}
`
