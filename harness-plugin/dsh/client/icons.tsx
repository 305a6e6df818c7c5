import React, { type ReactNode } from 'react'
import { ICONS } from '../../view/icons.ts'

const Icon = ({ path, size }: { readonly path: string; readonly size: number }) => (
  <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden>
    <path fill="currentColor" fillRule="evenodd" d={path} />
  </svg>
)

export const CloseIcon = () => <Icon size={14} path={ICONS.close} />

export const WidenIcon = () => (
  <Icon size={14} path="M9 1.5h5.5V7h-1.4V3.9L9.9 7.1l-1-1 3.2-3.2H9zM7 14.5H1.5V9h1.4v3.1l3.2-3.2 1 1-3.2 3.2H7z" />
)

export const PlugIcon = ({ size }: { readonly size: number }) => <Icon size={size} path={ICONS.plug} />

interface IconButtonProps {
  readonly label: string
  readonly onClick: () => void
  readonly children: ReactNode
}

/** Button for the slot in the store's header. */
export const IconButton = ({ label, onClick, children }: IconButtonProps) => (
  <button className="plugmark-icon" slot="head" type="button" aria-label={label} title={label} onClick={onClick}>
    {children}
  </button>
)
