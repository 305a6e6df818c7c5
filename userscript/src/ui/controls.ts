/**
 * Arranges what the card, the settings and the summary have in common.
 *
 * In forced colours a browser gives a control the colours of controls, but leaves alone what is inherited and what has
 * no ground. So a control with a ground names its colour, and one without has that of what it stands on.
 */
export const CONTROL_STYLES = `
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
.plugmark-muted { color: var(--fgColor-muted, GrayText); }
.plugmark-links { display: flex; flex-wrap: wrap; gap: 4px 12px; }
.plugmark-link,
.plugmark-plain,
.plugmark-button {
  appearance: none;
  display: inline-flex;
  align-items: center;
  gap: 4px;
  min-height: 24px;
  margin: 0;
  padding: 0;
  border: 0;
  background: none;
  color: var(--fgColor-accent, LinkText);
  font: inherit;
  text-decoration: none;
  cursor: pointer;
}
.plugmark-link:hover { text-decoration: underline; }
@media (forced-colors: active) { .plugmark-link { color: LinkText; } }
.plugmark-plain {
  justify-content: center;
  min-width: 24px;
  padding: 0 4px;
  border-radius: var(--borderRadius-medium, 6px);
  color: inherit;
}
.plugmark-plain:hover { background: var(--control-transparent-bgColor-hover, transparent); color: var(--fgColor-default, CanvasText); }
.plugmark-check { display: flex; align-items: baseline; gap: 8px; min-height: 24px; }
.plugmark-check input { margin: 0; }
:is(.plugmark-card, .plugmark-repository, .plugmark-dialog, .plugmark-summary) :focus-visible {
  outline: 2px solid var(--focus-outlineColor, Highlight);
  outline-offset: 1px;
}
`
