import type { Language } from '@plugmark/shared/locale'
import type { StoreListing } from '../../bridge/index.ts'

/** The summary in the reader's language, else in the other one; null when there is none. */
export function summaryOf({ summary, summaryZh }: StoreListing, language: Language): string | null {
  const [first, second] = language === 'zh' ? [summaryZh, summary] : [summary, summaryZh]
  return first?.trim() || second?.trim() || null
}
