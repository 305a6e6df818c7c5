import { ICONS } from '../ui/icons.ts'
import css from './start.css?raw'

/** One sheet for all that a start shows, so that the browser matches the page's elements once. */
export const START_STYLES = `.plugmark-badge, .plugmark-summary { --plugmark-icons: ${ICONS} }\n${css}`
