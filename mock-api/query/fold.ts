/**
 * Folds case in any script, for comparison only. Lower case first and upper case after it brings together letters
 * with several lower-case forms (Greek σ and ς, long s, the Kelvin sign) and those whose upper case is longer (ß).
 */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().toUpperCase()
}
