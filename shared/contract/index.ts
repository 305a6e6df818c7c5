/** The contract: its words, shapes and numbers. No network, no page, no harness. */
export * from './answers.ts'
export * from './defaults.ts'
export * from './limits.ts'
export * from './names.ts'
export * from './schemas.ts'
export * from './verdicts.ts'
export * from './vocabulary.ts'
