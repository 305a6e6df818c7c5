/** Lists what people type, and what they want first: over the invented catalogue and rows as real directories have them. */
import { describe, expect, test } from 'vitest'
import { embeddedCatalogue } from '../../mock-api/invented/invented.ts'
import type { StoreListing } from '../protocol/index.ts'
import { aListing } from '../view/testing.ts'
import { findListings } from './find.ts'
import { parseQuery } from './query.ts'

const invented = embeddedCatalogue().listings.map(({ record, verdict }) =>
  aListing(record.fullName, {
    summary: record.summary,
    summaryZh: record.summaryZh,
    category: record.category,
    stars: record.stars,
    npmPackage: record.npmPackage,
    installable: record.installable,
    verdict,
    riskFlags: record.riskFlags,
  }),
)

/** As in real directories: examples that nothing installs, generic names, a name in one language only, no category. */
const realistic = [
  aListing('bigcorp/toolkit#examples/dsh-memory', {
    summary: 'Example: memory for the toolkit server.',
    category: 'memory',
    stars: 28_000,
    npmPackage: null,
    installable: false,
    verdict: null,
  }),
  aListing('someone/dsh-memory', { summary: 'Long-term memory.', category: 'memory', stars: 40 }),
  aListing('somebody/dsh-todo-list', { summary: 'Keeps a list of open points.', category: 'workflow', stars: 12 }),
  aListing('somebody/night-owl', { summary: 'A dark theme.', category: 'theme', stars: 7 }),
  aListing('someone/left-bad', { summary: 'Pads badly.', category: 'tools', stars: 900, verdict: 'failed' }),
  aListing('someone/bad-left', { summary: 'Left and bad.', category: 'tools', stars: 800, verdict: 'failed' }),
  aListing('somebody/github-bridge', { summary: 'Issues and pull requests as tools.', category: 'dev', stars: 300 }),
  aListing('somebody/calendar', {
    summary: 'Calendars of your accounts, with reminders.',
    category: 'tools',
    stars: 25,
  }),
  aListing('somebody/web-search', {
    summary: 'Searches the web.',
    summaryZh: '联网搜索',
    category: 'tools',
    stars: 500,
  }),
  aListing('yi/dsh-fanyi', { summary: null, summaryZh: '翻译文档与网页', category: 'tools', stars: 60 }),
]
const rows: readonly StoreListing[] = [...invented, ...realistic]
const find = (query: string) => findListings(rows, parseQuery(query))

test.each<[string, string]>([
  // Names, whole and begun, with slips
  ['harbor-notes', 'lanternworks/dsh-plugin-harbor-notes'],
  ['harbor notes', 'lanternworks/dsh-plugin-harbor-notes'],
  ['harber-notes', 'lanternworks/dsh-plugin-harbor-notes'],
  ['typelens', 'Halvorsen-K/dsh-TypeLens'],
  ['type lens', 'Halvorsen-K/dsh-TypeLens'],
  ['dsh-typelens', 'Halvorsen-K/dsh-TypeLens'],
  ['typlens', 'Halvorsen-K/dsh-TypeLens'],
  ['night shift', 'emberline/night-shift'],
  ['night-shfit', 'emberline/night-shift'],
  ['@kestrel-yard/pdf-desk', 'kestrel-yard/dsh-pdf-desk'],
  ['copper-bell', 'lanternworks/dsh-plugin-copper-bell'],
  ['github', 'somebody/github-bridge'],
  ['broken-mast', 'lanternworks/dsh-plugin-broken-mast'],
  ['clokc', 'brasswork/workshop#packages/clock'],
  ['calender', 'somebody/calendar'],
  ['calendars', 'somebody/calendar'],
  ['unit-shlf', 'mosslight/unit-shelf'],
  ['nots', 'lanternworks/dsh-plugin-harbor-notes'],
  // The purpose, in words that summaries have
  ['pdf', 'kestrel-yard/dsh-pdf-desk'],
  ['fill forms', 'kestrel-yard/dsh-pdf-desk'],
  ['sqlite is:all', 'tidepool-labs/query-window'],
  ['postgres is:all', 'tidepool-labs/query-window'],
  ['container', 'sablecreek/container-bench'],
  ['pull requests', 'pinwheel-hq/review-queue'],
  ['code review', 'pinwheel-hq/review-queue'],
  ['tokens and money', 'nine-herons/penny-meter'],
  ['markdown notes', 'lanternworks/dsh-plugin-harbor-notes'],
  ['fork a session', 'emberline/session-branches'],
  ['side by side', 'emberline/session-branches'],
  ['export html', 'lanternworks/dsh-plugin-paper-kite'],
  ['desktop notification is:all', 'lanternworks/dsh-plugin-copper-bell'],
  ['command palette', 'mosslight/keyboard-first'],
  ['status line', 'gannet/quiet-status-line'],
  ['push to phone when a session waits', 'gannet/pocket-signal'],
  ['time zones', 'mosslight/unit-shelf'],
  ['notes that stay in the session', 'lanternworks/dsh-plugin-harbor-notes'],
  ['the clock', 'brasswork/workshop#packages/clock'],
  ['web search', 'somebody/web-search'],
  ['dice', 'brasswork/workshop#packages/dice'],
  ['flaky test', 'quillmarsh/flaky-finder'],
  ['proofread chinese', 'inkstone-lab/dsh-pack#plugin-jiaodui'],
  // The meaning, in words that only the category has
  ['memory', 'someone/dsh-memory'],
  ['dsh-memory', 'someone/dsh-memory'],
  ['remember is:all', 'nine-herons/dsh-long-memory'],
  ['remember things across sessions', 'nine-herons/dsh-long-memory'],
  ['remember things across sessions is:passed', 'lanternworks/dsh-plugin-harbor-notes'],
  ['save tokens money', 'nine-herons/penny-meter'],
  ['recall', 'quillmarsh/recall-by-file'],
  ['todo', 'somebody/dsh-todo-list'],
  ['reminder', 'somebody/calendar'],
  ['dark theme', 'emberline/theme-coal'],
  ['cost', 'nine-herons/penny-meter'],
  ['game', 'pinwheel-hq/rubber-duck'],
  ['llm', 'kestrel-yard/model-switchboard'],
  ['screenshots', 'lvzhou-studio/dsh-tuyi'],
  // In another form than the summary has, or by another word
  ['backup', 'RookeryTools/SessionVault'],
  ['backups', 'RookeryTools/SessionVault'],
  ['message when done', 'lanternworks/dsh-plugin-copper-bell'],
  ['run tests', 'quillmarsh/flaky-finder'],
  ['note taking', 'lanternworks/dsh-plugin-harbor-notes'],
  // Chinese
  ['记忆 is:all', 'nine-herons/dsh-long-memory'],
  ['记住 is:all', 'nine-herons/dsh-long-memory'],
  ['翻译', 'yi/dsh-fanyi'],
  ['联网搜索', 'somebody/web-search'],
  ['待办', 'emberline/night-shift'],
  ['日历', 'somebody/calendar'],
  ['主题', 'inkstone-lab/theme-rice-paper'],
  ['费用', 'nine-herons/penny-meter'],
  ['截图', 'lvzhou-studio/dsh-tuyi'],
  ['校对', 'inkstone-lab/dsh-pack#plugin-jiaodui'],
  ['备份会话 is:all', 'RookeryTools/SessionVault'],
])('%s finds %s first', (query, wanted) => {
  expect(find(query).listings[0]?.id).toBe(wanted)
})

test.each(['remember', 'recall', '记住', 'forget'])('%s finds plugins for memory, and others below them', (query) => {
  const categories = find(query).listings.map(({ category }) => category)
  expect(categories.slice(0, 3)).toEqual(['memory', 'memory', 'memory'])
})

/** Words that nobody looked at while the ranking was written. */
test.each<[string, string]>([
  ['rolling dice', 'brasswork/workshop#packages/dice'],
  ['email me when a task finished', 'brasswork/workshop#packages/mailbox'],
  ['bundle size', 'brasswork/workshop#packages/ruler'],
  ['filter logs', 'brasswork/workshop#packages/sieve'],
  ['filling templates', 'brasswork/workshop#packages/stencil'],
  ['stop at a spending limit', 'nine-herons/penny-meter'],
  ['comment on an answer', 'kestrel-yard/wide-margin'],
  ['forget facts', 'nine-herons/dsh-long-memory'],
  ['signing a pdf', 'kestrel-yard/dsh-pdf-desk'],
  ['local models', 'RookeryTools/LocalFirst'],
  ['branching conversations', 'emberline/session-branches'],
  ['describe an image', 'tidepool-labs/second-sight'],
  ['queue long jobs', 'emberline/night-shift'],
  ['sql query', 'tidepool-labs/query-window'],
  ['earlier conversations', 'quillmarsh/recall-by-file'],
  ['terminal', 'tidepool-labs/plain-terminal'],
  ['approve from my phone', 'gannet/pocket-signal'],
  ['reviewing diffs', 'pinwheel-hq/review-queue'],
  ['speech to text', 'mosslight/dsh-voice-booth'],
  ['voice', 'mosslight/dsh-voice-booth'],
  ['keyboard shortcuts', 'mosslight/keyboard-first'],
  ['古诗', 'zhulin/dsh-shici'],
  ['encrypted backups', 'RookeryTools/SessionVault'],
  ['wrong characters', 'inkstone-lab/dsh-pack#plugin-jiaodui'],
  ['flaky tests', 'quillmarsh/flaky-finder'],
  ['chinese comments', 'yunque-dev/dsh-zhushi'],
  ['ringing sound', 'lanternworks/dsh-plugin-copper-bell'],
  ['screenshots to controls', 'lvzhou-studio/dsh-tuyi'],
  ['office letters', 'petrichor-io/dsh-skill-paperwork'],
  ['group chat', 'yunque-dev/dsh-xiaoxi'],
  ['second approval', 'petrichor-io/two-keys'],
  ['currency rates', 'mosslight/unit-shelf'],
  ['converting units', 'mosslight/unit-shelf'],
  ['sharing a session as html', 'lanternworks/dsh-plugin-paper-kite'],
  ['summary at the end of a session', 'oatmeal-cc/dsh-handover'],
  ['git branch', 'gannet/quiet-status-line'],
  ['smart lights', 'oatmeal-cc/dsh-lamp'],
  ['tables as csv', 'lanternworks/dsh-plugin-slate-mill'],
  ['high contrast', 'Halvorsen-K/HighContrastNordic'],
  ['vertical text', 'lvzhou-studio/dsh-shuban'],
  ['推送到手机', 'gannet/pocket-signal'],
  ['会话备份', 'RookeryTools/SessionVault'],
  ['单位换算', 'mosslight/unit-shelf'],
  ['错别字', 'inkstone-lab/dsh-pack#plugin-jiaodui'],
  ['会话导出', 'lanternworks/dsh-plugin-paper-kite'],
  ['任务完成时响铃', 'lanternworks/dsh-plugin-copper-bell'],
  ['搬运会话', 'lanternworks/dsh-plugin-lost-ferry'],
])('%s finds %s first, too', (query, wanted) => {
  expect(find(query).listings[0]?.id).toBe(wanted)
})

describe('a slip', () => {
  test.each(['run tests', 'backups', 'jira'])('is not what another form of a word is, or another name: %s', (query) => {
    expect(find(query)).toMatchObject({ meant: null, offered: null })
  })

  test.each(['left-pad', 'leftpad', 'lfet-pad'])('is not corrected towards what does not install: %s', (query) => {
    expect(find(query)).toMatchObject({ listings: [], meant: null, offered: null })
  })

  test.each([
    ['calender', /^calendars?$/],
    ['nots', /^notes?$/],
  ])('is corrected where the words that are near are one word: %s', (query, word) => {
    expect(find(query)).toMatchObject({ meant: expect.stringMatching(word), offered: null })
  })
})

describe('what cannot be installed', () => {
  const ids = (query: string) => find(query).listings.map(({ id }) => id)
  const example = 'bigcorp/toolkit#examples/dsh-memory'

  test('stands below what can, although its name has the word', () => {
    expect(ids('memory is:all').indexOf(example)).toBeGreaterThan(ids('memory is:all').indexOf('someone/dsh-memory'))
  })

  test('stands first where its whole id was typed', () => {
    expect(ids(example)[0]).toBe(example)
  })

  test('keeps its place in an order that the user chose', () => {
    const byName = ids('category:memory is:all sort:name')
    expect(byName.indexOf(example)).toBeLessThan(byName.indexOf('quillmarsh/recall-by-file'))
  })
})
