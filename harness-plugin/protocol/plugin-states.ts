import type { PluginState } from './profiles.ts'

/** Returns true for a state in which a plugin that should run does not, or harms the harness. */
export const isBroken = ({ kind }: Pick<PluginState, 'kind'>): boolean =>
  !['running', 'loaded', 'off', 'not-a-layer'].includes(kind)
