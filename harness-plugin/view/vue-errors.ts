/**
 * Returns true if an error that Vue caught left a part of the screen unrendered.
 *
 * @param where as `onErrorCaptured` passes it: words, or in a production build an address that ends with a code. Source:
 *   Vue's production error code reference.
 */
export const isOfDrawing = (where: string): boolean =>
  /^(?:setup function|render function|component update)$|#runtime-(?:0|1|15)$/.test(where)
