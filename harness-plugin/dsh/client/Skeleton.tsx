import React from 'react'

const ROWS = 6

/** Shows where search and rows will be, while the store is on its way. */
export const Skeleton = () => (
  <div className="plugmark-skeleton" aria-hidden>
    <i />
    {Array.from({ length: ROWS }, (_, row) => (
      <p key={row}>
        <i />
        <i />
      </p>
    ))}
  </div>
)
