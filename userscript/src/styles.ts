import { BADGE_STYLES } from './badge/styles.ts'
import { CARD_STYLES } from './card/styles.ts'
import { SETTINGS_STYLES } from './settings/styles.ts'
import { SUMMARY_STYLES } from './summary/styles.ts'
import { addStyleSheet } from './ui/stylesheet.ts'

/** Adds the styles of every surface to the page. */
export const addStyles = (): void => addStyleSheet(BADGE_STYLES + CARD_STYLES + SETTINGS_STYLES + SUMMARY_STYLES)
