/**
 * The code host's design tokens that our pages and the badge use, by theme.
 * Names and values follow the public Primer primitives, as of 2026-08.
 */
type Tokens = Readonly<Record<string, string>>

const LIGHT: Tokens = {
  'fgColor-default': '#1f2328',
  'fgColor-muted': '#59636e',
  'fgColor-accent': '#0969da',
  'fgColor-success': '#1a7f37',
  'fgColor-attention': '#9a6700',
  'fgColor-danger': '#d1242f',
  'bgColor-default': '#ffffff',
  'bgColor-muted': '#f6f8fa',
  'bgColor-accent-muted': '#ddf4ff',
  'borderColor-default': '#d1d9e0',
  'borderColor-muted': '#d1d9e0b3',
  'button-default-bgColor-rest': '#f6f8fa',
  'control-borderColor-rest': '#d1d9e0',
  'control-transparent-bgColor-hover': '#818b981a',
  'control-transparent-bgColor-active': '#818b9826',
  'focus-outlineColor': '#0969da',
  'overlay-bgColor': '#ffffff',
  'overlay-backdrop-bgColor': '#c8d1da66',
  'shadow-floating-small': '0 0 0 1px #d1d9e080, 0 6px 12px -3px #25292e0a, 0 6px 18px 0 #25292e1f',
}

const DARK: Tokens = {
  'fgColor-default': '#f0f6fc',
  'fgColor-muted': '#9198a1',
  'fgColor-accent': '#4493f8',
  'fgColor-success': '#3fb950',
  'fgColor-attention': '#d29922',
  'fgColor-danger': '#f85149',
  'bgColor-default': '#0d1117',
  'bgColor-muted': '#151b23',
  'bgColor-accent-muted': '#388bfd1a',
  'borderColor-default': '#3d444d',
  'borderColor-muted': '#3d444db3',
  'button-default-bgColor-rest': '#212830',
  'control-borderColor-rest': '#3d444d',
  'control-transparent-bgColor-hover': '#656c7633',
  'control-transparent-bgColor-active': '#656c7640',
  'focus-outlineColor': '#1f6feb',
  'overlay-bgColor': '#010409',
  'overlay-backdrop-bgColor': '#21283066',
  'shadow-floating-small': '0 0 0 1px #3d444d, 0 6px 12px -3px #01040966, 0 6px 18px 0 #01040966',
}

const DIMMED: Tokens = {
  ...DARK,
  'fgColor-default': '#d1d7e0',
  'fgColor-accent': '#478be6',
  'fgColor-success': '#57ab5a',
  'fgColor-attention': '#c69026',
  'fgColor-danger': '#f47067',
  'bgColor-default': '#212830',
  'bgColor-muted': '#262c36',
  'focus-outlineColor': '#316dca',
  'overlay-bgColor': '#2a313c',
}

const DARK_HIGH_CONTRAST: Tokens = {
  ...DARK,
  'fgColor-default': '#ffffff',
  'fgColor-muted': '#b7bdc8',
  'fgColor-accent': '#74b9ff',
  'fgColor-success': '#2bd853',
  'fgColor-attention': '#f0b72f',
  'fgColor-danger': '#ff9492',
  'bgColor-default': '#010409',
  'borderColor-default': '#b7bdc8',
  'borderColor-muted': '#b7bdc8',
  'focus-outlineColor': '#409eff',
}

/** The theme of a page: `auto` follows the browser. */
export type Theme = 'auto' | 'light' | 'dark' | 'dark_dimmed' | 'dark_high_contrast'

/** Attributes of the root element, as the code host sets them. */
export function themeAttributes(theme: Theme): Readonly<Record<string, string>> {
  const mode = theme === 'auto' || theme === 'light' ? theme : 'dark'
  return {
    'data-color-mode': mode,
    'data-light-theme': 'light',
    'data-dark-theme': mode === 'dark' ? theme : 'dark',
  }
}

const block = (tokens: Tokens) =>
  Object.entries(tokens)
    .map(([name, value]) => `--${name}: ${value};`)
    .join(' ')

export const THEME_STYLES = `
:root {
  color-scheme: light;
  --borderRadius-small: 3px; --borderRadius-medium: 6px; --borderRadius-large: 12px; --borderRadius-full: 9999px;
  --base-text-weight-medium: 500; --base-text-weight-semibold: 600;
  --fontStack-system: -apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", Helvetica, Arial, "Noto Sans CJK SC", sans-serif;
  --fontStack-monospace: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
  ${block(LIGHT)}
}
@media (prefers-color-scheme: dark) { [data-color-mode="auto"] { color-scheme: dark; ${block(DARK)} } }
[data-color-mode="dark"] { color-scheme: dark; ${block(DARK)} }
[data-color-mode="dark"][data-dark-theme="dark_dimmed"] { ${block(DIMMED)} }
[data-color-mode="dark"][data-dark-theme="dark_high_contrast"] { ${block(DARK_HIGH_CONTRAST)} }
`
