const UNSEEN = /[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu

/**
 * Returns a command with invisible and direction-changing characters as escapes, so that a person can judge it. Line
 * breaks and tabs stay.
 */
export const visible = (command: string): string =>
  command.replace(UNSEEN, (unseen) => (/[\n\t]/.test(unseen) ? unseen : `\\u{${unseen.codePointAt(0)?.toString(16)}}`))
