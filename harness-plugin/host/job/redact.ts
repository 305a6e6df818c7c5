/** Texts that must not be shown, and their replacements, such as `~` for the person's home directory. */
export type Redactions = readonly (readonly [text: string, shown: string])[]

/** Secrets in the output of package managers and scripts, and in a profile's own files. */
const SECRETS: readonly (readonly [secret: RegExp, shown: string])[] = [
  // A password may contain an @, and a token may have no name before it.
  [/\/\/[^/\s:@]*:[^/\s]*@/g, '//***@'],
  [/\/\/[^/\s:@]{20,}@/g, '//***@'],
  [/(_(?:auth(?:token)?|password)["']?\s*[=:]\s*["']?)[^\s"']+/gi, '$1***'],
  [/\b([A-Z0-9_]*(?:TOKEN|SECRET|PASSWORD|API_?KEY)\s*[=:]\s*["']?)[^\s"']+/g, '$1***'],
  [/\b((?:password|passwd|passphrase|client[_-]?secret)["']?\s*[=:]\s*["']?)[^\s"']+/gi, '$1***'],
  // One-time addresses, such as that of a harness that runs in a trial.
  [/([?&#](?:[\w-]*token|api_?key|password|secret)=)[^\s&#"']+/gi, '$1***'],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, '***'],
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, '$1 ***'],
  // Tokens of registries, code hosts and model providers, by their prefixes.
  [/\b(?:npm_|gh[opsur]_|github_pat_|glpat-|sk-)\w[\w-]{15,}/g, '***'],
]

/** Replaces all secrets and private paths in a text. */
export function redact(text: string, redactions: Redactions): string {
  let shown = text
  for (const [hidden, instead] of redactions) shown = shown.replaceAll(hidden, instead)
  for (const [secret, instead] of SECRETS) shown = shown.replace(secret, instead)
  return shown
}
