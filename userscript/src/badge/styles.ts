import { ICONS } from '../ui/icons.ts'

/**
 * Arranges the badge; colours, radii and type are the code host's own custom properties, which follow its themes.
 * The fallbacks are system colours, for a page that lacks one.
 *
 * A finger or a shaky hand gets 24 px to hit: 4 px above and below that are not seen. The badge is a layer of its own, and
 * nothing in it is: a browser then need not look into hundreds of them whenever the page around them is laid out.
 *
 * What is printed is the word alone: browsers leave out the icons, and nobody presses paper.
 */
export const BADGE_STYLES = `
.plugmark-badge {
  position: relative;
  display: inline-block;
  box-sizing: border-box;
  height: 18px;
  margin: -4px 0 -4px 8px;
  border: 1px solid var(--borderColor-default, GrayText);
  border-radius: 9px;
  color: var(--fgColor-muted, GrayText);
  font: var(--base-text-weight-medium, 500) 11px/16px var(--fontStack-system, system-ui, sans-serif);
  letter-spacing: normal;
  white-space: nowrap;
  -webkit-user-select: none;
}
:dir(rtl) > .plugmark-badge {
  margin: -4px 8px -4px 0;
}
.plugmark-badge > * {
  display: inline-block;
  box-sizing: border-box;
  height: 24px;
  margin: -4px 0;
  padding: 0 6px 0 22px;
  border: solid transparent;
  border-width: 4px 0;
  border-radius: 8px 0 0 8px / 12px 0 0 12px;
  background: ${ICONS} 6px 2px / 12px no-repeat padding-box;
  color: inherit;
  font: inherit;
  vertical-align: top;
}
.plugmark-badge > button {
  cursor: pointer;
}
.plugmark-label:empty {
  padding-left: 18px;
}
.plugmark-badge > :last-child {
  width: 24px;
  padding: 0;
  border-radius: 0 8px 8px 0 / 0 12px 12px 0;
  background-position: 6px -22px;
  box-shadow: inset 1px 0 var(--borderColor-default, GrayText);
}
.plugmark-badge > .plugmark-none {
  background-position: 6px -46px;
}
.plugmark-badge > .plugmark-copied {
  background-position: 6px -70px;
}
.plugmark-label:hover,
.plugmark-label[aria-expanded='true'],
.plugmark-copy:hover {
  background-color: var(--control-transparent-bgColor-hover, transparent);
  color: var(--fgColor-default, ButtonText);
}
.plugmark-copy:active {
  background-color: var(--control-transparent-bgColor-active, transparent);
}
.plugmark-badge > :focus-visible {
  height: 16px;
  margin: 0;
  border: 0;
  border-radius: 8px;
  outline: 2px solid var(--focus-outlineColor, Highlight);
}
.plugmark-unseen {
  position: absolute;
  overflow: hidden;
  width: 1px;
  height: 1px;
  margin: -1px;
  clip-path: inset(50%);
  white-space: nowrap;
}
@media print {
  .plugmark-badge::before { padding: 0 6px; content: attr(aria-label); }
  .plugmark-badge > *, .plugmark-summary, .plugmark-card { display: none; }
}
@media (forced-colors: active) {
  .plugmark-badge > * { height: 16px; margin: 0; border: 0; }
  .plugmark-badge > :last-child { border-left: 1px solid CanvasText; border-radius: 0; }
}
`
