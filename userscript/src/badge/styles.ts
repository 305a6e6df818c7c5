/**
 * Arranges the badge; colours, radii and type are the code host's own custom properties, which follow its themes.
 * The fallbacks are system colours, for a page that lacks one.
 *
 * A finger or a shaky hand gets 24 px to hit: 4 px above and below that are not seen. The badge is a layer of its own, and
 * nothing in it is: a browser then need not look into hundreds of them whenever the page around them is laid out.
 */
export const BADGE_STYLES = `
.plugmark-badge {
  --plugmark-line: var(--borderColor-default, GrayText);
  position: relative;
  display: inline-flex;
  align-items: stretch;
  box-sizing: border-box;
  height: 18px;
  margin: -4px 0 -4px 8px;
  border: 1px solid var(--plugmark-line);
  border-radius: 9px;
  color: var(--fgColor-muted, GrayText);
  font-size: 11px;
  font-weight: var(--base-text-weight-medium, 500);
  font-style: normal;
  line-height: 16px;
  letter-spacing: normal;
  white-space: nowrap;
  user-select: none;
}
.plugmark-label,
.plugmark-copy {
  appearance: none;
  margin: -4px 0;
  padding: 4px 0;
  border: 0;
  background: transparent content-box;
}
.plugmark-label > :first-child {
  margin-left: 6px;
}
.plugmark-label > :last-child {
  margin-right: 6px;
}
.plugmark-label {
  display: inline-flex;
  align-items: center;
  gap: 4px;
  border-radius: 8px 0 0 8px / 12px 0 0 12px;
  color: inherit;
  font: inherit;
  line-height: inherit;
  cursor: pointer;
}
.plugmark-icon {
  flex: none;
  width: 12px;
  height: 12px;
  fill: none;
  stroke: currentColor;
  stroke-width: 1.5;
  stroke-linecap: round;
  stroke-linejoin: round;
}
.plugmark-copy,
.plugmark-none {
  display: inline-flex;
  align-items: center;
  justify-content: center;
  width: 24px;
  color: inherit;
}
.plugmark-copy {
  border-radius: 0 8px 8px 0 / 0 12px 12px 0;
  background: linear-gradient(var(--plugmark-line), var(--plugmark-line)) 0 0 / 1px 100% no-repeat content-box;
  cursor: pointer;
}
.plugmark-none {
  border-left: 1px solid var(--plugmark-line);
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
.plugmark-copy:focus-visible,
.plugmark-label:focus-visible {
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
  .plugmark-badge { --plugmark-line: CanvasText; color: CanvasText; }
  .plugmark-copy, .plugmark-none { color: inherit; }
  .plugmark-copy { margin: 0; padding: 0; border-left: 1px solid CanvasText; border-radius: 0; }
  .plugmark-copy:hover { color: Highlight; }
}
`
