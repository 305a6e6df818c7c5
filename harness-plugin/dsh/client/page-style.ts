/** Maps the harness's own tokens to the names that the element uses, and styles the places of the store. */
const STYLE = `
plugmark-store {
  --plugmark-background: var(--dsw-alias-bg-layer-2);
  --plugmark-foreground: var(--dsw-alias-label-primary);
  --plugmark-muted: var(--dsw-alias-label-secondary);
  --plugmark-border: var(--dsw-alias-border-l2);
  --plugmark-field: var(--dsw-alias-bg-module-platform);
  --plugmark-hover: var(--dsw-alias-interactive-bg-hover);
  --plugmark-accent: var(--dsw-alias-brand-primary);
  --plugmark-on-accent: var(--dsw-alias-bg-base);
  --plugmark-danger: var(--dsw-alias-state-error-primary);
  --plugmark-warning: var(--dsw-alias-state-warn-label);
  --plugmark-good: var(--dsw-alias-state-success-primary);
  --plugmark-bad: var(--dsw-alias-state-error-primary);
  --plugmark-radius: 8px;
  --plugmark-button-radius: 18px;
  --plugmark-sheet-radius: 20px;
  scrollbar-color: var(--dsw-alias-scrollbar-bg-l2) transparent;
  flex: 1; min-height: 0;
}
.plugmark-frame { display: flex; flex: 1; flex-direction: column; min-height: 0; }
.plugmark-tab { display: flex; flex-direction: column; height: calc(min(800px, 100vh - 48px) - 180px); min-height: 360px; }
.plugmark-tab.plugmark-page { height: calc(100vh - 218px); }
.plugmark-tab plugmark-store { margin-inline: -12px; }
.plugmark-page plugmark-store { --plugmark-background: var(--dsw-alias-bg-base); }
.plugmark-skeleton { display: flex; flex: 1; flex-direction: column; min-height: 0; overflow: hidden; }
.plugmark-skeleton i { flex: none; height: 12px; border-radius: 6px; background: var(--dsw-alias-bg-module-platform); }
.plugmark-skeleton > i { height: 32px; margin: 4px 40px 20px 0; border-radius: 8px; }
.plugmark-skeleton p { display: flex; flex: none; align-items: center; gap: 12px; height: 76px; margin: 0; padding: 0 16px; }
.plugmark-skeleton p i:first-child { width: 40px; height: 40px; border-radius: 10px; }
.plugmark-skeleton p i:last-child { width: 55%; }
plugmark-store:not(:defined) { display: none; }
.plugmark-head { margin: 0; }
:is(.plugmark-head, .plugmark-state) > .plugmark-icon { float: inline-end; }
.plugmark-others, .plugmark-state { margin: 0 0 8px; padding: 8px 12px; border: 1px solid var(--dsw-alias-border-l2); border-radius: 8px; color: var(--dsw-alias-label-primary); font-size: 13px; line-height: 20px; overflow-wrap: anywhere; }
.plugmark-state p { margin: 0 0 4px; }
.plugmark-button { box-sizing: border-box; min-height: 32px; padding: 0 12px; border: 1px solid var(--dsw-alias-border-l2); border-radius: 18px; background: transparent; color: var(--dsw-alias-label-primary); font: inherit; font-size: 13px; cursor: pointer; }
.plugmark-button:hover { background: var(--dsw-alias-interactive-bg-hover); }
.plugmark-listing { box-sizing: border-box; height: 28px; padding: 0 10px; border: 1px solid var(--dsw-alias-border-l2); border-radius: 8px; background: transparent; color: var(--dsw-alias-label-primary); font: inherit; font-size: 12px; line-height: 18px; white-space: nowrap; cursor: pointer; }
.plugmark-listing:hover { background: var(--dsw-alias-interactive-bg-hover); }
.plugmark-add { box-sizing: border-box; display: flex; align-items: center; gap: 10px; width: 100%; height: 72px; padding: 6px 12px; border: 0; border-radius: var(--dsw-radius-md, 12px); background: transparent; color: var(--dsw-alias-label-primary); font: inherit; font-size: 13px; line-height: 20px; text-align: start; cursor: pointer; }
.plugmark-add svg { flex: none; color: var(--dsw-alias-menu-icon); }
.plugmark-add small { display: block; margin-top: 2px; color: var(--dsw-alias-label-secondary); font-size: 12px; line-height: 18px; }
.plugmark-add:is(:hover, :focus-visible) { background: var(--dsw-alias-interactive-bg-hover); outline: none; }
.plugmark-overlay { box-sizing: border-box; width: min(1440px, 100vw - 48px); height: min(960px, 100dvh - 48px); max-width: none; max-height: none; padding: 0; overflow: hidden; border: 0 solid transparent; border-radius: 24px; background: var(--dsw-alias-bg-layer-2); color: var(--dsw-alias-label-primary); box-shadow: var(--dsw-shadow-lv3); }
.plugmark-overlay::backdrop { background: var(--dsw-alias-bg-mask-1); backdrop-filter: var(--dsw-mask-blur); }
@media (forced-colors: active) { .plugmark-overlay { border-width: 1px; } .plugmark-add:focus-visible { outline: 2px solid; outline-offset: -2px; } }
.plugmark-panel { position: relative; box-sizing: border-box; display: flex; flex-direction: column; height: 100%; padding: 10px 12px 12px; }
@media (max-width: 640px), (max-height: 480px) { .plugmark-overlay { width: 100vw; height: 100dvh; border-radius: 0; } .plugmark-panel { padding: 0; } }
.plugmark-icon { display: inline-flex; flex: none; align-items: center; justify-content: center; width: 28px; height: 28px; padding: 0; border: 0; border-radius: 28px; background: transparent; color: var(--dsw-alias-label-primary); cursor: pointer; }
.plugmark-icon:hover { background: var(--dsw-alias-interactive-bg-hover); }
.plugmark-action { box-sizing: border-box; display: inline-flex; flex: 1; align-items: center; gap: 8px; min-width: 0; height: 42px; margin: 0 -2px; padding: 0 10px 0 8px; overflow: hidden; border: 0; border-radius: 12px; background: transparent; color: var(--dsw-alias-label-primary); font: inherit; font-size: 14px; line-height: 22px; cursor: pointer; }
.plugmark-action svg { flex: none; }
.plugmark-action[data-folded] { flex: none; justify-content: center; width: 36px; height: 36px; padding: 0; border-radius: 50%; }
.plugmark-action { position: relative; }
.plugmark-count { flex: none; min-width: 18px; margin-inline-start: auto; padding: 0 5px; border-radius: 9px; background: var(--dsw-alias-state-warn-label); color: var(--dsw-alias-bg-base); font-size: 11px; font-variant-numeric: tabular-nums; line-height: 18px; text-align: center; }
.plugmark-news { background: var(--dsw-alias-bg-module-platform); color: var(--dsw-alias-label-primary); }
.plugmark-action[data-folded] .plugmark-count { position: absolute; top: -2px; inset-inline-end: -2px; min-width: 16px; padding: 0 4px; line-height: 16px; }
.plugmark-action[data-folded] { overflow: visible; }
.plugmark-action:hover { background: var(--dsw-alias-interactive-bg-hover); }
.plugmark-label { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
:is(.plugmark-button, .plugmark-listing, .plugmark-icon, .plugmark-action):focus-visible { outline: 2px solid var(--dsw-alias-state-business-primary); outline-offset: -2px; }
`

/** Adds the style sheet. @returns a function that removes it */
export function addStyle(): () => void {
  const style = document.createElement('style')
  style.dataset.plugin = 'dsh-plugin-plugmark'
  style.textContent = STYLE
  document.head.append(style)
  return () => style.remove()
}
