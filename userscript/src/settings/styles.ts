/** Arranges the settings dialog; colours, radii and type are the code host's. */
export const SETTINGS_STYLES = `
.plugmark-dialog {
  box-sizing: border-box;
  width: 480px;
  margin: auto;
  padding: 16px;
  overflow: auto;
  border: 1px solid transparent;
  border-radius: var(--borderRadius-large, 12px);
  background: var(--overlay-bgColor, Canvas);
  color: var(--fgColor-default, CanvasText);
  box-shadow: var(--shadow-floating-large, var(--shadow-floating-small, 0 0 0 1px GrayText));
  font: 14px/1.5 var(--fontStack-system, system-ui, sans-serif);
  overflow-wrap: anywhere;
}
.plugmark-dialog::backdrop { background: var(--overlay-backdrop-bgColor, rgb(0 0 0 / 40%)); }
.plugmark-dialog header {
  position: sticky;
  top: -16px;
  z-index: 1;
  display: flex;
  align-items: center;
  justify-content: space-between;
  margin: -16px -16px 0;
  padding: 16px;
  background: inherit;
}
.plugmark-dialog header + .plugmark-field { margin-top: 0; }
.plugmark-title { font-size: 16px; font-weight: var(--base-text-weight-semibold, 600); }
.plugmark-field { display: grid; grid-template-columns: minmax(0, 1fr); gap: 4px; margin: 16px 0 0; padding: 0; border: 0; min-width: 0; }
.plugmark-field > label,
.plugmark-field > legend { padding: 0; font-size: 14px; font-weight: var(--base-text-weight-semibold, 600); }
.plugmark-field .plugmark-check { font-weight: inherit; }
@media (min-width: 480px) { .plugmark-columns { display: grid; grid-template-columns: 1fr 1fr; column-gap: 16px; } }
.plugmark-field :is(input[type='text'], select) {
  box-sizing: border-box;
  width: 100%;
  min-height: 32px;
  margin: 0;
  padding: 4px 12px;
  border: 1px solid var(--control-borderColor-rest, var(--borderColor-default, GrayText));
  border-radius: var(--borderRadius-medium, 6px);
  background: var(--bgColor-default, Field);
  color: var(--fgColor-default, FieldText);
  font: inherit;
}
.plugmark-field input[aria-invalid='true'] { border-color: var(--fgColor-danger, CanvasText); }
.plugmark-dialog code { padding: 0; background: none; color: inherit; font: 12px/1.6 var(--fontStack-monospace, monospace); -webkit-user-select: all; }
.plugmark-dialog :is(.plugmark-muted, .plugmark-bad, .plugmark-button) { font-size: 12px; scroll-margin: 8px; }
`
