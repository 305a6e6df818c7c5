/** An argument as a shell reads it back. */
const quote = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

/** A command to be typed. */
export const commandLine = (...words: readonly string[]): string => words.map(quote).join(' ')
