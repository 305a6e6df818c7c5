import { isVerdict } from '@plugmark/shared/contract'
import { messagesFor } from '../../messages/index.ts'
import type { DataOf } from '../documents.ts'
import { table, wrapped } from './columns.ts'
import type { Page } from './terminal-page.ts'

/** Renders the results of `try`, one row for each harness. */
export function tryLines({ spec, results }: DataOf<'try'>, page: Page): string[] {
  const { words, style, columns, locale } = page
  const { contract } = messagesFor(locale)
  const rows = results.map((result) => {
    const name = contract.verdict(isVerdict(result.verdict) ? result.verdict : null).name
    const mark = result.verdict === 'passed' ? style.good : result.verdict === 'needs-approval' ? style.warn : style.bad
    const runs = result.runs === null ? '' : result.runs ? words.fit.runs : words.fit.doesNotRun
    return [
      `harness ${result.versions.harness}`,
      [name, mark] as const,
      [runs, result.runs === false ? style.bad : style.good] as const,
      `${(result.durationMs / 1000).toFixed(1)} s`,
    ]
  })
  const details = results.flatMap((result) => [
    ...result.blockedBuilds.map(({ key }) => `${words.builds} ${key}`),
    ...result.why.map((line) => `harness ${result.versions.harness}: ${line}`),
    ...(result.verdict === 'failed' ? result.output.slice(-5) : []),
  ])
  return [
    style.bold(results[0]?.plugin ?? spec),
    ...table(rows, columns),
    ...details.flatMap((line) => wrapped(line, columns)),
  ]
}

/** Renders the effects of an upgrade of the harness on a profile. */
export function upgradeLines({ harnessVersion, start, plugins }: DataOf<'upgrade-check'>, page: Page): string[] {
  const { words, style, columns } = page
  const rows = plugins.map(({ package: name, version, fits, sentence, fitting }) => [
    fits === false ? style.bad('✗') : fits === true ? style.good('✓') : style.dim('?'),
    [name, style.bold] as const,
    version ?? '',
    fitting === null ? sentence : `${sentence} ${words.fit.fitting(fitting)}`,
  ])
  return [
    words.fit.upgradeTitle(harnessVersion, start.state !== 'not-tried'),
    ...(start.state === 'does-not-start'
      ? wrapped(style.bad(words.fit.doesNotStart(start.why.join(' '))), columns)
      : []),
    ...(start.state === 'starts' && start.page !== 'yes'
      ? wrapped(
          start.page === 'no' ? style.bad(words.fit.pageBroken(start.why.join(' '))) : words.fit.pageNotTried,
          columns,
        )
      : []),
    ...table(rows, columns),
  ]
}
