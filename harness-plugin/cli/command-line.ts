/** Quotes an argument for a shell if needed. */
const quote = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

/** Renders a command that a person can type. */
export const commandLine = (...words: readonly string[]): string => words.map(quote).join(' ')
