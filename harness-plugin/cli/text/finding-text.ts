import type { Locale } from '@plugmark/shared/i18n'
import type { Finding } from '../../host/index.ts'
import { messagesFor } from '../../messages/index.ts'
import type { Words } from '../words/index.ts'

/** Returns the sentence of a finding; for a missing program, with the option that names it. */
export const findingText = (
  finding: Pick<Finding, 'kind' | 'subjects' | 'state'>,
  { outcomes }: Words,
  locale: Locale,
): string =>
  (outcomes as Readonly<Record<string, string>>)[finding.kind] ?? messagesFor(locale).profileCheck.finding(finding)
