import { BADGE_STYLES } from './badge/styles.ts'
import { CARD_STYLES } from './card/styles.ts'
import { SETTINGS_STYLES } from './settings/styles.ts'
import { SUMMARY_STYLES } from './summary/styles.ts'
import { CONTROL_STYLES } from './ui/controls.ts'
import { addStyleSheet } from './ui/stylesheet.ts'

const once = (text: string) => {
  let isThere = false
  return () => {
    if (!isThere) addStyleSheet(text)
    isThere = true
  }
}

/** The styles of every surface, each added to the page once, when it is about to be needed. */
export const styles = {
  addBadge: once(BADGE_STYLES),
  addSummary: once(CONTROL_STYLES + SUMMARY_STYLES),
  addOthers: once(CARD_STYLES + SETTINGS_STYLES),
}
