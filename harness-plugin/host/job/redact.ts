/** Text that must not be shown, and what stands for it, such as the person's home directory. */
export type Masks = readonly (readonly [text: string, shown: string])[]

/** What must not be shown of what a package manager, a plugin's scripts and a profile's own files say. */
const SECRETS: readonly (readonly [secret: RegExp, shown: string])[] = [
  [/\/\/[^/\s:@]+:[^/\s@]+@/g, '//***@'],
  [/\/\/[^/\s:@]{20,}@/g, '//***@'],
  [/(_(?:auth(?:token)?|password)["']?\s*[=:]\s*["']?)[^\s"']+/gi, '$1***'],
  [/\b([A-Z0-9_]*(?:TOKEN|SECRET|PASSWORD|API_?KEY)\s*[=:]\s*["']?)[^\s"']+/g, '$1***'],
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, '$1 ***'],
  // Tokens of registries, code hosts and model providers say what they are.
  [/\b(?:npm_|gh[opsur]_|github_pat_|glpat-|sk-)\w[\w-]{15,}/g, '***'],
]

/** A text as it may be shown. */
export function masked(text: string, masks: Masks): string {
  let shown = text
  for (const [hidden, instead] of masks) shown = shown.replaceAll(hidden, instead)
  for (const [secret, instead] of SECRETS) shown = shown.replace(secret, instead)
  return shown
}
