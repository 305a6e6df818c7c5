/**
 * Arranges the badge; colours, radii and type are the code host's own custom properties, which follow its themes.
 * The fallbacks are system colours, for a page that lacks one.
 *
 * A finger or a shaky hand gets 24 px to hit: 4 px above and below that are not seen. The badge is a layer of its own, and
 * nothing in it is: a browser then need not look into hundreds of them whenever the page around them is laid out.
 *
 * In running text its word is not shown: it would stand in somebody else's sentence, and break more of its lines.
 */
export const BADGE_STYLES = `
.plugmark-badge {
  --plugmark-line: var(--borderColor-default, GrayText);
  position: relative;
  display: inline-block;
  box-sizing: border-box;
  height: 18px;
  margin: -4px 0 -4px 8px;
  border: 1px solid var(--plugmark-line);
  border-radius: 9px;
  color: var(--fgColor-muted, GrayText);
  font: var(--base-text-weight-medium, 500) 11px/16px var(--fontStack-system, system-ui, sans-serif);
  letter-spacing: normal;
  white-space: nowrap;
  user-select: none;
}
:dir(rtl) > .plugmark-badge {
  margin: -4px 8px -4px 0;
}
.plugmark-badge > * {
  appearance: none;
  display: inline-block;
  margin: -4px 0;
  padding: 4px 0;
  border: 0;
  background: transparent content-box;
  color: inherit;
  font: inherit;
  vertical-align: top;
}
.plugmark-badge > button {
  cursor: pointer;
}
.plugmark-icon {
  flex: none;
  width: 12px;
  height: 12px;
  margin: 2px 0;
  fill: none;
  stroke: currentColor;
  stroke-width: 1.5;
  stroke-linecap: round;
  stroke-linejoin: round;
  vertical-align: top;
}
.plugmark-label {
  border-radius: 8px 0 0 8px / 12px 0 0 12px;
}
.plugmark-label > * {
  margin-left: 4px;
}
.plugmark-label > :first-child {
  margin-left: 6px;
}
.plugmark-label > :last-child {
  margin-right: 6px;
}
.markdown-body .plugmark-label > span {
  margin-left: 0;
  font-size: 0;
}
.plugmark-copy,
.plugmark-none {
  width: 24px;
  border-radius: 0 8px 8px 0 / 0 12px 12px 0;
  background: linear-gradient(var(--plugmark-line), var(--plugmark-line)) 0 0 / 1px 100% no-repeat content-box;
  text-align: center;
}
.plugmark-none {
  opacity: 0.7;
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
  margin: 0;
  padding: 0;
  border-radius: 8px;
  outline: 2px solid var(--focus-outlineColor, Highlight);
}
.plugmark-copy.plugmark-copied {
  color: var(--fgColor-success, ButtonText);
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
@media (forced-colors: active) {
  .plugmark-copy, .plugmark-none { margin: 0; padding: 0; border-left: 1px solid CanvasText; border-radius: 0; color: inherit; }
  .plugmark-copy:hover { color: Highlight; }
}
`
