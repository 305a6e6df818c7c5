/** The configuration of the store, for all shells. */

export { type Configuration, OPTIONS, type Option, type Words } from './options.ts'
export { type ConfiguredOptions, readConfiguration, toHostOptions } from './read.ts'
