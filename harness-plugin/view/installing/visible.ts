const UNSEEN = /[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu

/**
 * A command as it can be judged: what is not seen in it, or turns it around, as an escape. Line breaks and tabs stay.
 */
export const visible = (command: string): string =>
  command.replace(UNSEEN, (unseen) => (/[\n\t]/.test(unseen) ? unseen : `\\u{${unseen.codePointAt(0)?.toString(16)}}`))
