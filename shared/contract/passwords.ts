/** A user with a password, or a password without a user. It may contain an `@`. */
const USER = /\/\/[^/\s:@?#"<>[]*:[^/\s?#"<>]*@/g
/** The same with a `/`, `?` or `#` in the password, which is then not a port. The limits here keep the time linear. */
const ODD_PASSWORD = /\/\/[^/\s:@?#"<>[]*:(?!\d*(?:[/?#\s"<>]|$))[^\s"<>@]{0,2000}@/g
/** A token in the place of the user. Over ssh it is the name `git`. */
const TOKEN = /(https?:)\/\/[^/\s:@?#"<>]+@/gi
const LONG_TOKEN = /\/\/[^/\s:@?#"<>]{20,}@/g
/** A parameter whose name ends with a word for a secret, or a line of a registry's configuration. */
const PARAMETER =
  /([?&#;](?:[\w.%-]{0,100}[-_.])?(?:\w{0,100}(?:token|secret|passw(?:or)?d|signature|credentials?|api_?key)|api-key|pwd|sig|auth|key)=|:_?(?:auth(?:token)?|password)=)[^\s&#"'<>]+/gi

/**
 * Hides users, passwords and tokens in the addresses of a text. The only function for this: everything that leaves a
 * program, such as an error or a document, passes through it.
 */
export function hidePasswords(text: string): string {
  // Most texts have no address.
  if (!text.includes('//')) return text
  return text
    .replace(USER, '//***@')
    .replace(ODD_PASSWORD, '//***@')
    .replace(TOKEN, '$1//***@')
    .replace(LONG_TOKEN, '//***@')
    .replace(PARAMETER, '$1***')
}
