import type { Category } from '@plugmark/shared/contract'

/** Paths of the icons, on a grid of 16, filled by the even-odd rule. */
export const ICONS = {
  plug: 'M5.4 1v3.5H4v3a4 4 0 0 0 3.35 3.95V15h1.3v-3.55A4 4 0 0 0 12 7.5v-3h-1.4V1H9.3v3.5H6.7V1zM5.3 5.8h5.4v1.7a2.7 2.7 0 0 1-5.4 0z',
  check: 'M6.4 12.2 2.2 8l1.1-1.1 3.1 3.1 6.3-6.3 1.1 1.1z',
  warning: 'M8 1.5 15.2 14H.8zM7.25 6v4h1.5V6zm0 5v1.5h1.5V11z',
  external: 'M3 3h4v1.5H4.5v7h7V9H13v4H3zm6 0h4v4h-1.5V5.6L8 9.1 6.9 8l3.5-3.5H9z',
  clock:
    'M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3m-.75 1.5h1.5v3.2l2.1 2.1-1.05 1.1-2.55-2.6z',
  filter: 'M1.5 3h13v1.5h-13zm2.5 4h8v1.5H4zm2.5 4h3v1.5h-3z',
  copy: 'M5 1.5h8.5V11H11v3.5H2.5V5H5zM6.5 5H11v4.5h1V3H6.5zM4 6.5V13h5.5V6.5z',
  expand: 'M3.3 5.3 8 10l4.7-4.7 1 1L8 12 2.3 6.3z',
  back: 'm6.5 3 1.1 1.1L4.4 7.25H14v1.5H4.4l3.2 3.15L6.5 13 1.5 8z',
  close:
    'm8 6.94 3.97-3.97 1.06 1.06L9.06 8l3.97 3.97-1.06 1.06L8 9.06l-3.97 3.97-1.06-1.06L6.94 8 2.97 4.03l1.06-1.06z',
  more: 'M3.5 6.5a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3m4.5 0a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3m4.5 0a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3',
  star: 'm8 1.3 2 4.3 4.7.6-3.4 3.2.9 4.7L8 11.8l-4.2 2.3.9-4.7L1.3 6.2 6 5.6z',
} as const

/** Lines of the pictures of categories, on a grid of 24. */
export const CATEGORY_ICONS: Readonly<Record<Category | 'other', string>> = {
  tools: 'M14.8 6.2a4.2 4.2 0 0 0-5.4 5.4L4 17l3 3 5.4-5.4a4.2 4.2 0 0 0 5.4-5.4l-2.6 2.6-2.4-.6-.6-2.4z',
  ui: 'M4 5h16v14H4zM4 9.5h16M9.5 9.5V19',
  dev: 'm9 7-5 5 5 5m6-10 5 5-5 5',
  workflow: 'M4.5 4.5h5v5h-5zm10 10h5v5h-5zM7 9.5V13a4 4 0 0 0 4 4h3.5',
  memory:
    'M5 6c0-1.7 3.1-3 7-3s7 1.3 7 3-3.1 3-7 3-7-1.3-7-3zm0 0v12c0 1.7 3.1 3 7 3s7-1.3 7-3V6M5 12c0 1.7 3.1 3 7 3s7-1.3 7-3',
  session: 'M4 5h16v11h-8.5L7 20v-4H4z',
  skill: 'm12 4.5 9.5 4.5-9.5 4.5L2.5 9zM7 11.5v4.7c0 1.3 2.2 2.3 5 2.3s5-1 5-2.3v-4.7',
  vision:
    'M2.5 12S6 5.5 12 5.5s9.5 6.5 9.5 6.5-3.5 6.5-9.5 6.5S2.5 12 2.5 12zm6.7 0a2.8 2.8 0 1 0 5.6 0 2.8 2.8 0 1 0-5.6 0z',
  model: 'M7 7h10v10H7zm3-4v4m4-4v4m-4 10v4m4-4v4M3 10h4m-4 4h4m10-4h4m-4 4h4',
  notify: 'M6.5 16.5V11a5.5 5.5 0 1 1 11 0v5.5L19 18H5zM10 21h4',
  usage: 'M5 20v-6m7 6V5m7 15v-9',
  theme: 'M12 3s6.5 6.6 6.5 11.2a6.5 6.5 0 0 1-13 0C5.5 9.6 12 3 12 3z',
  market: 'M6 8.5h12L19 20H5zm3 0V7a3 3 0 0 1 6 0v1.5',
  fun: 'M3 12a9 9 0 1 0 18 0 9 9 0 1 0-18 0zm5.5 2.2a4.2 4.2 0 0 0 7 0M9 9.5h.01m5.99 0h.01',
  other: 'M5 5h5v5H5zm9 0h5v5h-5zM5 14h5v5H5zm9 0h5v5h-5z',
}

/** Returns the icon of an answer that is yes, no, or null for unknown. */
export const iconOf = (answer: boolean | null): 'clock' | 'check' | 'warning' =>
  answer === null ? 'clock' : answer ? 'check' : 'warning'
