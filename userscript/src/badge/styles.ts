/**
 * Arranges the badge; colours, radii and type are the code host's own custom properties, which follow its themes.
 * The fallbacks are system colours, for a page that lacks one.
 */
export const BADGE_STYLES = `
.plugmark-badge {
  --plugmark-line: var(--borderColor-default, GrayText);
  display: inline-flex;
  align-items: stretch;
  box-sizing: border-box;
  height: 18px;
  margin: -4px 0 -4px 8px;
  border: 1px solid var(--plugmark-line);
  border-radius: 9px;
  background: transparent;
  color: var(--fgColor-muted, GrayText);
  font-size: 11px;
  font-weight: var(--base-text-weight-medium, 500);
  font-style: normal;
  line-height: 16px;
  letter-spacing: normal;
  white-space: nowrap;
  vertical-align: baseline;
  user-select: none;
}
.plugmark-label {
  appearance: none;
  position: relative;
  display: inline-flex;
  align-items: center;
  gap: 4px;
  margin: 0;
  padding: 0 6px;
  border: 0;
  border-radius: 8px 0 0 8px;
  background: transparent;
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
  position: relative;
  display: inline-flex;
  align-items: center;
  justify-content: center;
  box-sizing: border-box;
  width: 24px;
  margin: 0;
  padding: 0 2px 0 0;
  border: 0;
  border-left: 1px solid var(--plugmark-line);
  border-radius: 0 8px 8px 0;
  background: transparent;
  color: inherit;
}
.plugmark-none {
  opacity: 0.7;
}
.plugmark-copy {
  appearance: none;
  cursor: pointer;
}
/* A finger or a shaky hand gets 24 px to hit. */
.plugmark-label::after,
.plugmark-copy::after {
  content: '';
  position: absolute;
  inset: -4px 0;
}
.plugmark-label:hover,
.plugmark-label[aria-expanded='true'],
.plugmark-copy:hover {
  background: var(--control-transparent-bgColor-hover, transparent);
  color: var(--fgColor-default, ButtonText);
}
.plugmark-copy:active {
  background: var(--control-transparent-bgColor-active, transparent);
}
.plugmark-copy:focus-visible,
.plugmark-label:focus-visible {
  outline: 2px solid var(--focus-outlineColor, Highlight);
  outline-offset: 0;
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
  .plugmark-badge { border-color: CanvasText; color: CanvasText; }
  .plugmark-copy, .plugmark-none { border-color: CanvasText; color: inherit; }
  .plugmark-copy:hover { color: Highlight; }
}
`
