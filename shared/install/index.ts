/** Install commands, the names in them, dependencies of a profile, and sources that the user names. */
export * from './command.ts'
export * from './dependency.ts'
export * from './names.ts'
export * from './typed-spec.ts'
