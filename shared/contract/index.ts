/** The contract: ids, shapes and constants. No network, no page, no harness. */
export * from './constants.ts'
export * from './full-names.ts'
export * from './passwords.ts'
export * from './schemas.ts'
export * from './verdicts.ts'
export * from './vocabulary.ts'
