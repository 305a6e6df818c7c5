/**
 * Parts of a page where nothing is marked, whatever the selector of its kind says: text somebody is editing, code,
 * the cards the code host shows over a link, and what this script itself put there.
 */
export const OFF_LIMITS = [
  '[contenteditable]:not([contenteditable=false])',
  'pre',
  '.js-hovercard-content',
  '[class^=plugmark-]',
].join(', ')
