/**
 * Hides users, passwords and tokens in the addresses of a text. The only function for this: everything that leaves a
 * program, such as an error or a document, passes through it.
 */
export function hidePasswords(text: string): string {
  // Most texts have no address.
  if (!text.includes('://')) return text
  return (
    text
      // A password may contain an @, and a token may have no name before it.
      .replace(/\/\/[^/\s:@]*:[^/\s]*@/g, '//***@')
      .replace(/\/\/[^/\s:@]{20,}@/g, '//***@')
      // One-time addresses, such as that of a harness that runs in a trial.
      .replace(/([?&#](?:[\w-]*token|api_?key|password|secret)=)[^\s&#"']+/gi, '$1***')
  )
}
