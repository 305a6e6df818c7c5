/** FNV-1a of a name, 32 bits; two names may share one. 0 for no name. */
export function nameHash(name: string): number {
  if (name === '') return 0
  let hash = 0x811c9dc5
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
