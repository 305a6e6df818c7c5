import { relative, resolve } from 'node:path'

/**
 * Rewrites relative paths of `file:` and `link:` that lead out of a directory, so that they lead to the same targets
 * from another one. Changes only their leading `../`.
 *
 * @param from the directory that they are relative to
 * @param to the directory that they will be relative to
 */
export function movePaths(text: string, from: string, to: string): string {
  if (from === to) return text
  return text.replace(
    /(?<=\b(?:file|link):)(?:\.\/)?(?:\.\.\/)+/g,
    (steps) => `${relative(to, resolve(from, steps)).replaceAll('\\', '/')}/`,
  )
}
