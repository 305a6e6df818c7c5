/**
 * Arranges the card, over the page or in it; colours, radii and type are the code host's, who draws the outline of what
 * floats with its shadow. A command breaks between its words: half of an option would look like another command.
 */
export const CARD_STYLES = `
.plugmark-card,
.plugmark-repository {
  box-sizing: border-box;
  color: var(--fgColor-default, CanvasText);
  font: 12px/1.5 var(--fontStack-system, system-ui, sans-serif);
  text-align: start;
  overflow-wrap: anywhere;
}
.plugmark-card {
  position: absolute;
  inset: auto;
  z-index: 1000;
  width: 340px;
  max-width: calc(100vw - 16px);
  max-height: calc(100vh - 16px);
  margin: 0;
  padding: 12px;
  overflow: auto;
  border: 1px solid transparent;
  border-radius: var(--borderRadius-medium, 6px);
  background: var(--overlay-bgColor, Canvas);
  box-shadow: var(--shadow-floating-small, 0 0 0 1px GrayText);
}
.plugmark-card:focus { outline: none; }
.plugmark-repository {
  margin: 0 0 16px;
  padding: 0 0 16px;
  border-bottom: 1px solid var(--borderColor-muted, GrayText);
}
.plugmark-card-content,
.plugmark-listing,
.plugmark-stack { display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px; }
.plugmark-listing > :empty { display: none; }
.plugmark-card-head { display: flex; flex-wrap: wrap; align-items: baseline; column-gap: 8px; }
.plugmark-card-name { font-size: 14px; font-weight: var(--base-text-weight-semibold, 600); }
.plugmark-strong { font-weight: var(--base-text-weight-semibold, 600); }
.plugmark-card-category,
.plugmark-facts,
.plugmark-footer { color: var(--fgColor-muted, GrayText); }
.plugmark-card-category { margin-left: auto; }
.plugmark-summary-text {
  display: -webkit-box;
  overflow: hidden;
  -webkit-box-orient: vertical;
  -webkit-line-clamp: 3;
}
.plugmark-facts { display: flex; flex-wrap: wrap; gap: 2px 12px; }
.plugmark-line { display: inline-flex; gap: 4px; }
.plugmark-line > .plugmark-icon { margin-top: 3px; }
.plugmark-good { color: var(--fgColor-success, CanvasText); }
.plugmark-bad { color: var(--fgColor-danger, CanvasText); }
.plugmark-flag > .plugmark-icon { color: var(--fgColor-attention, currentColor); }
.plugmark-command {
  display: flex;
  align-items: flex-start;
  gap: 8px;
  padding: 6px 6px 6px 8px;
  border-radius: var(--borderRadius-medium, 6px);
  background: var(--bgColor-muted, transparent);
}
.plugmark-command code {
  direction: ltr;
  flex: 1;
  padding: 0;
  border-radius: 2px;
  background: none;
  color: inherit;
  font: 12px/1.6 var(--fontStack-monospace, monospace);
  -webkit-user-select: all;
}
.plugmark-command code > span { display: inline-block; max-width: 100%; }
.plugmark-button {
  flex: none;
  padding: 0 8px;
  border: 1px solid var(--borderColor-default, GrayText);
  border-radius: var(--borderRadius-medium, 6px);
  background: var(--button-default-bgColor-rest, transparent);
  color: var(--fgColor-default, ButtonText);
  font-weight: var(--base-text-weight-medium, 500);
}
.plugmark-button:hover { background: var(--control-transparent-bgColor-hover, transparent); }
.plugmark-button.plugmark-copied { color: var(--fgColor-success, ButtonText); }
.plugmark-command .plugmark-button { margin: -1px 0; }
.plugmark-fold > summary { width: fit-content; min-height: 24px; color: var(--fgColor-muted, GrayText); line-height: 24px; cursor: pointer; }
.plugmark-fold > summary:hover { color: var(--fgColor-default, CanvasText); }
.plugmark-other { display: grid; grid-template-columns: minmax(0, 1fr); gap: 4px; padding: 8px 0; }
.plugmark-other + .plugmark-other { border-top: 1px solid var(--borderColor-muted, GrayText); }
.plugmark-footer { font-size: 11px; }
`
