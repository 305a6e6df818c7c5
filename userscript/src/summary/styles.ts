/** Arranges the summary of a page, and dims what is none of its plugins. */
export const SUMMARY_STYLES = `
.plugmark-summary {
  position: fixed;
  right: 16px;
  bottom: 16px;
  z-index: 30;
  box-sizing: border-box;
  max-width: min(300px, calc(100vw - 32px));
  padding: 4px;
  border: 1px solid var(--borderColor-default, GrayText);
  border-radius: var(--borderRadius-medium, 6px);
  background: var(--overlay-bgColor, Canvas);
  color: var(--fgColor-muted, GrayText);
  font: 12px/1.5 var(--fontStack-system, system-ui, sans-serif);
}
.plugmark-summary > :is(span, .plugmark-unreachable) { padding: 0 8px; }
.plugmark-summary-bar { display: flex; align-items: center; }
.plugmark-summary-bar > :first-child { margin-right: auto; padding-right: 8px; }
.plugmark-summary-more {
  display: grid;
  gap: 4px;
  padding: 4px 4px 8px;
  margin-bottom: 4px;
  border-bottom: 1px solid var(--borderColor-muted, GrayText);
  color: var(--fgColor-default, CanvasText);
}
@media (hover: none) { .plugmark-keys { display: none; } }
[data-plugmark-dim] { opacity: 0.45; }
[data-plugmark-dim]:is(:hover, :focus-within) { opacity: 1; }
`
