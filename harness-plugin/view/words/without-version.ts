/** The package's name alone, of `name@version` or `@scope/name@version`. */
export const withoutVersion = (subject: string): string => subject.replace(/(?<=.)@.*$/, '')
