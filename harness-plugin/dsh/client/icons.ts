import { createElement as h, type ReactNode } from 'react'

const icon = (size: number, path: string) =>
  h(
    'svg',
    { width: size, height: size, viewBox: '0 0 16 16', 'aria-hidden': true },
    h('path', { fill: 'currentColor', fillRule: 'evenodd', d: path }),
  )

export const CloseIcon = () => icon(14, 'M3.3 2.3 8 7l4.7-4.7 1 1L9 8l4.7 4.7-1 1L8 9l-4.7 4.7-1-1L7 8 2.3 3.3z')

export const WidenIcon = () =>
  icon(14, 'M9 1.5h5.5V7h-1.4V3.9L9.9 7.1l-1-1 3.2-3.2H9zM7 14.5H1.5V9h1.4v3.1l3.2-3.2 1 1-3.2 3.2H7z')

export const PlugIcon = ({ size }: { readonly size: number }) =>
  icon(
    size,
    'M5.4 1v3.5H4v3a4 4 0 0 0 3.35 3.95V15h1.3v-3.55A4 4 0 0 0 12 7.5v-3h-1.4V1H9.3v3.5H6.7V1zM5.3 5.8h5.4v1.7a2.7 2.7 0 0 1-5.4 0z',
  )

interface IconButtonProps {
  readonly label: string
  readonly onClick: () => void
  readonly children: ReactNode
}

/** Stands in the head of the store, which has a slot for it. */
export const IconButton = ({ label, onClick, children }: IconButtonProps) =>
  h(
    'button',
    { className: 'plugmark-icon', slot: 'head', type: 'button', 'aria-label': label, title: label, onClick },
    children,
  )
